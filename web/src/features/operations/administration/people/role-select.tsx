import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { Person } from '@kinora/contract/operations/people.ts'
import { type Role, roles } from '@kinora/contract/accounts/roles.ts'
import { roleNames } from './role-names.ts'
import { Select } from '../../../../ui/forms/select.tsx'

/** Chooses the role of an account. It shows the stored one until another is saved. */
export function RoleSelect({
  person: { username, role },
  onChangeRole,
}: {
  person: Person
  onChangeRole: (role: Role) => void
}) {
  return (
    <Select
      label={t`Role of ${username}`}
      value={role}
      onChange={({ currentTarget }) => {
        const chosen = roles.find((name) => name === currentTarget.value)
        if (chosen) onChangeRole(chosen)
      }}
    >
      {roles.map((name) => (
        <option key={name} value={name}>
          {i18n._(roleNames[name])}
        </option>
      ))}
    </Select>
  )
}
