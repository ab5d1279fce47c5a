import { t } from '@lingui/core/macro'
import type { VideoCut } from '@kinora/contract/videos/cuts.ts'
import { useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { formatPercent } from '../../../lib/format/percent.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { FormActions } from '../../../ui/forms/form-actions.tsx'
import { Part } from '../../../ui/part.tsx'
import { formatTenths } from '../../../lib/format/frame-time.ts'
import { useDeletion } from './api.ts'
import styles from './cut-editor.module.css'

/** The cut that viewers see now, with the buttons that end it, and that delete for good what it removed. */
export function PublishedCut({
  videoId,
  cut,
  mayDelete,
  isBusy,
  onUndo,
}: {
  videoId: string
  cut: VideoCut
  /** Whether the signed-in user may delete what was cut. */
  mayDelete: boolean
  isBusy: boolean
  onUndo: () => void
}) {
  const { durationSeconds, sourceDurationSeconds, deletion, isDeletable } = cut
  const [isAsking, setIsAsking] = useState(false)
  const deleting = useDeletion(videoId)
  const [seen, whole] = [formatTenths(durationSeconds), formatTenths(sourceDurationSeconds)]
  const removed = formatTenths(sourceDurationSeconds - durationSeconds)
  const isRunning = deletion?.state === 'running'
  return (
    <Part
      title={t`Published cut`}
      note={
        isRunning
          ? t`The cut shows ${seen} of ${whole}. What was cut is being deleted; until then the file is unchanged.`
          : t`The cut shows ${seen} of ${whole}. The file is unchanged, so you can undo this at any time.`
      }
      isDivided
    >
      {deletion?.state === 'failed' && (
        <Alert>{t`What was cut could not be deleted. The file is unchanged.`}</Alert>
      )}
      {deleting.isError && <Alert>{failureMessage(deleting.error)}</Alert>}
      {isRunning ? (
        <div className={styles['deletion']}>
          <ProgressBar label={t`Deleting what was cut`} value={deletion.progress} />
          <span>{formatPercent(deletion.progress)}</span>
          {mayDelete && (
            <Button disabled={deleting.isPending} onClick={() => deleting.mutate(null)}>
              {t`Stop and keep it`}
            </Button>
          )}
        </div>
      ) : (
        <FormActions saved={false}>
          <Button disabled={isBusy} onClick={onUndo}>{t`Undo the cut`}</Button>
          {mayDelete && isDeletable && (
            <Button disabled={isBusy || deleting.isPending} onClick={() => setIsAsking(true)}>
              {t`Delete what was cut…`}
            </Button>
          )}
        </FormActions>
      )}
      {mayDelete && !isDeletable && !isRunning && (
        <p className={styles['kept']}>
          {t`What was cut of this video can’t be deleted for good: its picture or sound would have to be encoded again, and lose quality.`}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t`Delete what was cut?`}
          confirmLabel={t`Delete for good`}
          onConfirm={() => deleting.mutate(cut.publishedAt)}
          onClose={() => setIsAsking(false)}
        >
          <p className={styles['warning']}>
            {t`${removed} of the file will be deleted for good. Afterwards the file is ${seen} long, and the cut can’t be undone.`}
          </p>
          <p>{t`Captions, and times in the description, move to where they are in the cut.`}</p>
        </ConfirmDialog>
      )}
    </Part>
  )
}
