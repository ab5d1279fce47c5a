import { t } from '@lingui/core/macro'
import type { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Status } from '../../../ui/feedback/alert.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import styles from './embed-policy-form.module.css'

type Choice = EmbedPolicy['allowed'] | 'channel'

/** Chooses the sites that may embed; with `channel`, the policy of the channel can be chosen, which is null. */
export function EmbedPolicyForm({
  policy,
  channel,
  saving,
}: {
  policy: EmbedPolicy | null
  channel?: EmbedPolicy
  saving: {
    mutate: (policy: EmbedPolicy | null) => void
    isPending: boolean
    isSuccess: boolean
    error: Error | null
  }
}) {
  const [choice, setChoice] = useState<Choice>(policy?.allowed ?? 'channel')
  const names: Record<EmbedPolicy['allowed'], string> = {
    everywhere: t`Every site`,
    sites: t`These sites only`,
    nowhere: t`No site`,
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving.isPending) return
    const sites = textOf(new FormData(event.currentTarget), 'sites')
      .split(/[\s,]+/)
      .filter(Boolean)
    saving.mutate(choice === 'channel' ? null : { allowed: choice, sites: choice === 'sites' ? sites : [] })
  }

  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
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
          name="sites"
          rows={3}
          dir="ltr"
          defaultValue={policy?.sites.join('\n')}
          error={saving.error ? failureMessage(saving.error) : undefined}
          hint={t`One per line, such as example.org or *.example.org.`}
        />
      )}
      <div className={styles['save']}>
        <Button type="submit" disabled={saving.isPending}>{t`Apply`}</Button>
        <Status>{saving.isSuccess && t`Saved`}</Status>
      </div>
      {choice !== 'sites' && saving.error && <p role="alert">{failureMessage(saving.error)}</p>}
    </form>
  )
}

const choices: readonly Choice[] = ['channel', 'everywhere', 'sites', 'nowhere']
