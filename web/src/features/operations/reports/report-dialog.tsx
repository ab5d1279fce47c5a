import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { createReport } from '@kinora/contract/operations/reports.ts'
import { call } from '@kinora/contract/client.ts'
import { reportReasons, reportTextMaxCharacters } from '@kinora/contract/constants.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import type { Reportable } from '../../../lib/report-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import styles from './report-dialog.module.css'
import { reasonNames } from './report-reasons.ts'

/** Reports a video, comment, channel or clip to the moderators. */
export function ReportDialog({ subject, onClose }: { subject: Reportable; onClose: () => void }) {
  const reasonIn = (fields: FormData) => reportReasons.find((name) => name === textOf(fields, 'reason'))
  const form = useEndpointForm({
    fields: [],
    check: (fields) => ({ reason: reasonIn(fields) ? undefined : t`Choose a reason` }),
    send: (fields) =>
      call(createReport, {
        body: { ...subject, reason: reasonIn(fields) ?? 'other', text: textOf(fields, 'text') },
      }),
  })
  return (
    <Dialog title={t`Report this ${subject.kind}`} closesOnOutsideClick={false} onClose={onClose}>
      {form.result ? (
        <>
          <Status>
            {form.result.isNew
              ? t`Thank you. A moderator will look at it, and you will be notified of the decision.`
              : t`You have reported this already. You will be notified of the decision.`}
          </Status>
          <DialogActions>
            <Button onClick={onClose}>{t`Done`}</Button>
          </DialogActions>
        </>
      ) : (
        <EndpointForm form={form} submit={t`Send report`} onCancel={onClose}>
          <Alert>{form.field('reason').error}</Alert>
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
        </EndpointForm>
      )}
    </Dialog>
  )
}
