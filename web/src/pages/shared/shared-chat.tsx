import { type ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { ChatPanel } from '../../features/live/chat/chat-panel.tsx'
import { paths } from '../../paths.ts'
import styles from './shared-chat.module.css'

/** The chat below a video of a link. Who writes there has to sign in, and may see the video without the link. */
export function SharedChat({
  videoId,
  ...chat
}: Pick<ComponentProps<typeof ChatPanel>, 'videoId' | 'visit' | 'player'>) {
  const { authData } = useAuth()
  const navigate = useNavigate()
  return (
    <div className={styles['chat']}>
      <ChatPanel
        videoId={videoId}
        viewer={{
          auth: { authData },
          requireSession: (act) => (authData ? act() : void navigate(paths.watch(videoId))),
        }}
        {...chat}
      />
    </div>
  )
}
