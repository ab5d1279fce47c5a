import { t } from '@lingui/core/macro'
import { ReceivedComments } from '../../features/conversation/comments/received-comments.tsx'
import { WatchedWordsDialog } from '../../features/conversation/comments/watched-words-dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { StudioFrame } from './studio-frame.tsx'
import styles from './studio-page.module.css'

/** Comments on all videos of the signed-in user, and the words that hold them. */
export function StudioCommentsPage() {
  return (
    <StudioFrame title={t`Comments`}>
      <div className={styles['links']}>
        <DialogButton label={t`Watched words…`}>
          {(close) => <WatchedWordsDialog onClose={close} />}
        </DialogButton>
      </div>
      <ReceivedComments />
    </StudioFrame>
  )
}
