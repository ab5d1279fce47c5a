import { t } from '@lingui/core/macro'
import { ReceivedComments } from '../../features/conversation/comments/received-comments.tsx'
import { WatchedWordsDialog } from '../../features/conversation/comments/watched-words-dialog.tsx'
import { useStudioChannel } from '../../features/videos/collaborators/use-studio-channel.ts'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { StudioFrame } from './studio-frame.tsx'
import styles from './studio-page.module.css'

/** Comments on all videos of a channel, and the words that hold them. */
export function StudioCommentsPage() {
  const { channel, isManager } = useStudioChannel()
  return (
    <StudioFrame title={t`Comments`}>
      {isManager && (
        <div className={styles['links']}>
          <DialogButton label={t`Watched words…`}>
            {(close) => <WatchedWordsDialog channel={channel} onClose={close} />}
          </DialogButton>
        </div>
      )}
      <ReceivedComments key={channel} channel={channel} />
    </StudioFrame>
  )
}
