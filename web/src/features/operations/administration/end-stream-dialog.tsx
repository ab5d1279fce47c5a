import { t } from '@lingui/core/macro'
import { reasonMaxCharacters } from '@kinora/contract/constants.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'

/** Asks before a stream of somebody is ended, and for the reason, which the audit log keeps. */
export function EndStreamDialog({
  title,
  onEnd,
  onClose,
}: {
  title: string
  onEnd: (reason: string) => void
  onClose: () => void
}) {
  const element = useInitialFocus()
  const form = useEndpointForm({
    fields: ['reason'],
    send: async (fields) => {
      onClose()
      onEnd(textOf(fields, 'reason'))
    },
  })
  return (
    <Dialog title={t`End the stream “${title}”?`} closesOnOutsideClick={false} onClose={onClose}>
      <p>{t`Its encoder is refused for a minute. The recording stays as it is.`}</p>
      <EndpointForm ref={element} form={form} submit={t`End`} variant="danger" onCancel={onClose}>
        <TextArea
          label={t`Reason (optional)`}
          rows={3}
          maxLength={reasonMaxCharacters}
          hint={t`Only administrators read it, in the audit log.`}
          {...form.field('reason')}
        />
      </EndpointForm>
    </Dialog>
  )
}
