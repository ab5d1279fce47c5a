import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { createReport } from '@kinora/contract/operations/reports.ts'
import { call } from '@kinora/contract/client.ts'
import { reportReasons, reportTextMaxCharacters } from '@kinora/contract/constants.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import type { Reportable } from '../../../lib/report-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import styles from './report-dialog.module.css'
import { reasonNames } from './report-reasons.ts'

/** Reports a video, comment or channel to the moderators. */
export function ReportDialog({ subject, onClose }: { subject: Reportable; onClose: () => void }) {
  const [error, setError] = useState<string>()
  const sending = useMutation({
    mutationFn: (report: { reason: (typeof reportReasons)[number]; text: string }) =>
      call(createReport, { body: { ...subject, ...report } }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sending.isPending) return
    const fields = new FormData(event.currentTarget)
    const reason = reportReasons.find((name) => name === textOf(fields, 'reason'))
    setError(reason ? undefined : t`Choose a reason`)
    if (reason) sending.mutate({ reason, text: textOf(fields, 'text') })
    else event.currentTarget.querySelector('input')?.focus()
  }

  return (
    <Dialog title={t`Report this ${subject.kind}`} closesOnOutsideClick={false} onClose={onClose}>
      {sending.isSuccess ? (
        <>
          <Status>
            {sending.data.isNew
              ? t`Thank you. A moderator will look at it, and you will be notified of the decision.`
              : t`You have reported this already. You will be notified of the decision.`}
          </Status>
          <DialogActions>
            <Button onClick={onClose}>{t`Done`}</Button>
          </DialogActions>
        </>
      ) : (
        <form onSubmit={submit} noValidate>
          {sending.isError && <Alert>{failureMessage(sending.error)}</Alert>}
          <Alert>{error}</Alert>
          <fieldset className={styles['reasons']}>
            <legend>{t`What is wrong?`}</legend>
            {reportReasons.map((reason) => (
              <label key={reason}>
                <input type="radio" name="reason" value={reason} />
                {i18n._(reasonNames[reason])}
              </label>
            ))}
          </fieldset>
          <TextArea
            label={t`Explanation`}
            name="text"
            rows={3}
            maxLength={reportTextMaxCharacters}
            hint={t`Optional. Only moderators read it, with your username.`}
          />
          <DialogActions>
            <Button onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" variant="solid" disabled={sending.isPending}>{t`Send report`}</Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
