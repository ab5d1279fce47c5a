import { t } from '@lingui/core/macro'
import type { ClipChoice } from '@kinora/contract/watching/clips.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import styles from './clip-policy-form.module.css'

const choices: readonly ClipChoice[] = ['default', 'allowed', 'off']

/** Chooses whether viewers may make clips; with `channel`, the default is that of the channel. */
export function ClipPolicyForm({
  choice,
  channel,
  onSave,
}: {
  choice: ClipChoice
  channel?: ClipChoice
  onSave: (choice: ClipChoice) => Promise<unknown>
}) {
  const names: Record<ClipChoice, string> = {
    default: t`While a video is public`,
    allowed: t`Everybody with an account who may watch it`,
    off: t`Nobody`,
  }
  const form = useEndpointForm({
    fields: ['clips'],
    send: (fields) => onSave(choices.find((each) => each === textOf(fields, 'clips')) ?? choice),
  })
  return (
    <EndpointForm className={styles['form']} form={form} submit={t`Apply`} variant="quiet">
      <Select label={t`Who may make clips`} name="clips" defaultValue={choice}>
        <option value="default">{channel ? t`As the channel: ${names[channel]}` : names.default}</option>
        <option value="allowed">{names.allowed}</option>
        <option value="off">{names.off}</option>
      </Select>
    </EndpointForm>
  )
}
