import { t } from '@lingui/core/macro'
import type { Processing } from '@kinora/contract/videos/videos.ts'
import { formatProgress } from '../../../../lib/format/percent.ts'
import { useErrorTranslator } from '../../../../lib/i18n/use-error-translator.ts'
import { Button } from '../../../../ui/button.tsx'
import { ProgressBar } from '../../../../ui/feedback/progress-bar.tsx'
import { finishedProcessing } from './api.ts'
import styles from './processing-state.module.css'

/** Progress of the renditions of a video, or the reason of a failure. Renders nothing once all are ready. */
export function ProcessingState({
  title,
  processing = finishedProcessing,
  onRetry,
}: {
  title: string
  processing?: Processing
  onRetry: () => void
}) {
  const { state, progress, reason, cause = null } = processing
  const explain = useErrorTranslator()
  if (state === 'processing') {
    return (
      <div className={styles['processing']}>
        <div className={styles['meter']}>
          <ProgressBar label={t`Processing`} value={progress} leaves={20} height={16} />
        </div>
        <span>{t`Published. Preparing more qualities: ${formatProgress(progress)}`}</span>
      </div>
    )
  }
  if (state === 'failed') {
    return (
      <>
        <p className={styles['failed']}>
          {reason ? explain(cause, reason) : t`The other qualities could not be prepared.`}
        </p>
        <Button
          className={styles['retry']}
          onClick={onRetry}
          aria-label={t`Try again to prepare ${title}`}
        >{t`Try again`}</Button>
      </>
    )
  }
  if (state === 'taken_down') return <p className={styles['failed']}>{t`Taken down: ${reason ?? ''}`}</p>
  return null
}
