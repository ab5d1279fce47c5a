import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ChannelRole } from '@kinora/contract/channel-roles.ts'
import { call } from '@kinora/contract/client.ts'
import { putCollaborator } from '@kinora/contract/videos/collaborators.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { collaboratorsQuery } from './api.ts'
import styles from './people.module.css'
import { roleNames, roleNotes } from './role-names.ts'

/** Not the list of the contract, whose module loads its parsers. */
const roles = Object.keys(roleNames) as ChannelRole[]

/** Invites an account to work on a channel. */
export function InviteForm({ channel }: { channel: string | undefined }) {
  const client = useQueryClient()
  const [role, setRole] = useState<ChannelRole>('editor')
  const form = useEndpointForm({
    fields: ['username'],
    check: (fields) => ({ username: textOf(fields, 'username').trim() ? undefined : t`Enter a username` }),
    send: (fields) =>
      call(putCollaborator, {
        params: { username: textOf(fields, 'username').trim().replace(/^@/, '') },
        query: { channel },
        body: { role },
      }),
    onSuccess: (people, element) => {
      const { queryKey } = collaboratorsQuery(channel)
      client.setQueryData(queryKey, people)
      // and what was done
      void client.invalidateQueries({ queryKey })
      element.reset()
      setRole('editor')
    },
  })
  return (
    <EndpointForm
      className={styles['invite']}
      label={t`Invite somebody`}
      form={form}
      submit={t`Invite`}
      pending={t`Inviting…`}
      saved={t`Invited. It is in the list until it is accepted.`}
    >
      <h3>{t`Invite somebody`}</h3>
      <div className={styles['fields']}>
        <Field
          label={t`Username`}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          {...form.field('username')}
        />
        <Select
          label={t`Role`}
          value={role}
          hint={i18n._(roleNotes[role])}
          onChange={({ currentTarget }) => setRole(roles[currentTarget.selectedIndex] ?? 'editor')}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {i18n._(roleNames[each])}
            </option>
          ))}
        </Select>
      </div>
    </EndpointForm>
  )
}
