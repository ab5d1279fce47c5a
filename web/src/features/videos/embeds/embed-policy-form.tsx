import { t } from '@lingui/core/macro'
import type { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import styles from './embed-policy-form.module.css'

type Choice = EmbedPolicy['allowed'] | 'channel'

/** Chooses the sites that may embed; with `channel`, the policy of the channel can be chosen, which is null. */
export function EmbedPolicyForm({
  policy,
  channel,
  onSave,
}: {
  policy: EmbedPolicy | null
  channel?: EmbedPolicy
  onSave: (policy: EmbedPolicy | null) => Promise<unknown>
}) {
  const [choice, setChoice] = useState<Choice>(policy?.allowed ?? 'channel')
  const names: Record<EmbedPolicy['allowed'], string> = {
    everywhere: t`Every site`,
    sites: t`These sites only`,
    nowhere: t`No site`,
  }

  const form = useEndpointForm({
    fields: ['sites'],
    send: (fields) => {
      const sites = textOf(fields, 'sites')
        .split(/[\s,]+/)
        .filter(Boolean)
      return onSave(choice === 'channel' ? null : { allowed: choice, sites: choice === 'sites' ? sites : [] })
    },
  })

  return (
    <EndpointForm className={styles['form']} form={form} submit={t`Apply`} variant="quiet">
      <Select
        label={t`Sites that may embed`}
        name="allowed"
        value={choice}
        onChange={({ currentTarget }) =>
          setChoice(choices.find((each) => each === currentTarget.value) ?? choice)
        }
      >
        {channel && <option value="channel">{t`As the channel: ${names[channel.allowed]}`}</option>}
        <option value="everywhere">{names.everywhere}</option>
        <option value="sites">{names.sites}</option>
        <option value="nowhere">{names.nowhere}</option>
      </Select>
      {choice === 'sites' && (
        <TextArea
          label={t`Sites`}
          rows={3}
          dir="ltr"
          defaultValue={policy?.sites.join('\n')}
          hint={t`One per line, such as example.org or *.example.org.`}
          {...form.field('sites')}
        />
      )}
    </EndpointForm>
  )
}

const choices: readonly Choice[] = ['channel', 'everywhere', 'sites', 'nowhere']
