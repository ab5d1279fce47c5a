import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatProgress } from '../../../lib/format/percent.ts'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import { describePace, describeSent, percentOf, type UploadProgress } from './upload-progress.ts'
import styles from './upload-form.module.css'

/** Upload progress as a bar and numbers; screen readers announce every quarter. */
export function UploadProgressBar({
  progress,
  isInterrupted,
}: {
  progress: UploadProgress
  isInterrupted: boolean
}) {
  const percent = percentOf(progress)
  const pace = describePace(progress)
  const isSent = progress.sentBytes >= progress.totalBytes
  return (
    <div className={styles['meter']}>
      <ProgressBar label={t`Upload progress`} value={progress.sentBytes / progress.totalBytes} height={24} />
      <p>
        {isSent ? (
          <>
            <Trans>
              <b>100%</b> · processing…
            </Trans>
          </>
        ) : (
          <>
            <b>{formatProgress(percent / 100)}</b> ·{' '}
            {isInterrupted ? t`connection lost, trying again…` : describeSent(progress)}
            {!isInterrupted && pace && (
              <>
                <span className={styles['dot']}> · </span>
                <span className={styles['pace']}>{pace}</span>
              </>
            )}
          </>
        )}
      </p>
      <VisuallyHidden>
        <span role="status">
          {isInterrupted ? t`Connection lost, trying again` : t`${percent - (percent % 25)}% sent`}
        </span>
      </VisuallyHidden>
    </div>
  )
}
