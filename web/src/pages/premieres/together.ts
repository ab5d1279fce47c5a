// Parts of the watch page and of embeds for what people watch together, in a script that only those videos load.
export { ChatPanel } from '../../features/live/chat/chat-panel.tsx'
export { AnnouncedPremiere } from './announced-premiere.tsx'
