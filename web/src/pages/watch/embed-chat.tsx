import type { ComponentProps } from 'react'
import { ChatPanel } from '../../features/live/chat/chat-panel.tsx'
import { paths } from '../../paths.ts'
import styles from './embed-chat.module.css'

/** The chat beside an embedded player. Frames on other sites have no session: people write on the page of the video. */
export function EmbedChat({
  videoId,
  ...chat
}: Pick<ComponentProps<typeof ChatPanel>, 'videoId' | 'visit' | 'player'>) {
  return (
    <div className={styles['chat']} data-chat="">
      <ChatPanel
        videoId={videoId}
        viewer={{
          auth: { authData: null },
          requireSession: () => void open(paths.watch(videoId), '_blank', 'noopener'),
        }}
        {...chat}
      />
    </div>
  )
}
