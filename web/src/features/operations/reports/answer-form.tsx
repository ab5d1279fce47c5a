import { t } from '@lingui/core/macro'
import { reportTextMaxCharacters } from '@kinora/contract/constants.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'

/** The one answer of the person whom a decision concerns. */
export function AnswerForm({ onSend }: { onSend: (text: string) => Promise<unknown> }) {
  const form = useEndpointForm({
    fields: ['text'],
    check: (fields) => ({ text: textError(t`Answer`, textOf(fields, 'text'), reportTextMaxCharacters) }),
    send: (fields) => onSend(textOf(fields, 'text')),
  })
  return (
    <EndpointForm form={form} submit={t`Send answer`} saved="">
      <TextArea
        label={t`Answer`}
        rows={4}
        required
        hint={t`If you think that this is wrong, say why. You can answer once.`}
        {...form.field('text')}
      />
    </EndpointForm>
  )
}
