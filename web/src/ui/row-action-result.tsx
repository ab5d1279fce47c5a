import { t } from '@lingui/core/macro'
import type { RowAction } from '../lib/use-row-action.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Alert, Status } from './feedback/alert.tsx'
import styles from './row-action-result.module.css'

/** The question before an action of a row, and its result. */
export function RowActionResult({
  action: { done, error, undo, question },
}: {
  action: Pick<RowAction<never>, 'done' | 'error' | 'undo' | 'question'>
}) {
  return (
    <>
      <Alert>{error}</Alert>
      {undo ? (
        <div className={styles['undo']}>
          <Status>{done}</Status>
          <Button onClick={undo}>{t`Undo`}</Button>
        </div>
      ) : (
        <Status>{done}</Status>
      )}
      {question && (
        <ConfirmDialog
          title={question.title}
          confirmLabel={question.label}
          cancelLabel={question.cancelLabel}
          variant={question.variant}
          onConfirm={question.confirm}
          onClose={question.cancel}
        >
          <p className={styles['text']}>{question.text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
