import { i18n, type MessageDescriptor } from '@lingui/core'
import { dateLocale } from '../../lib/i18n/language.ts'
import { msg, t } from '@lingui/core/macro'
import type { Person } from '@kinora/contract/administration.ts'
import { hasRole, type Role, roles } from '@kinora/contract/roles.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatFullCount } from '../../lib/format/counts.ts'
import { formatPublishedDay } from '../../lib/format/published-day.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import styles from './table.module.css'

const roleNames: Record<Role, MessageDescriptor> = {
  member: msg`Member`,
  moderator: msg`Moderator`,
  administrator: msg`Administrator`,
}

const dayFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })

function suspensionActionOf({ suspendedAt, deletesAt, isWaiting }: Person): string {
  if (deletesAt !== null) return t({ message: 'Keep', context: 'an account' })
  if (isWaiting) return t`Approve`
  return suspendedAt === null ? t`Suspend` : t`Reinstate`
}

/** Accounts with what they hold, and what the caller may do to them. */
export function PeopleTable({
  people,
  me,
  onSuspend,
  onReinstate,
  onChangeRole,
  onChangeQuota,
  onDelete,
}: {
  people: readonly Person[]
  me: { username: string; role: Role }
  onSuspend: (person: Person) => void
  /** Also approves one that waits. */
  onReinstate: (person: Person) => void
  onChangeRole: (person: Person, role: Role) => void
  onChangeQuota: (person: Person) => void
  onDelete: (person: Person) => void
}) {
  const [nowMs] = useState(() => Date.now())
  const isAdministrator = hasRole(me.role, 'administrator')
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Account`}</th>
          <th scope="col">{t`Email`}</th>
          <th scope="col">{t`Role`}</th>
          <th scope="col" className={styles['count']}>{t`Videos`}</th>
          <th scope="col" className={styles['count']}>{t`Subscribers`}</th>
          <th scope="col">{t`Joined`}</th>
          <th scope="col">
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => {
          const { username, role, suspendedAt } = person
          // The same rule as on the server: nobody their own account, moderators only members. The own quota is no such change.
          const mayChange = username !== me.username && (isAdministrator || role === 'member')
          return (
            <tr key={person._id}>
              <th scope="row">
                <span className={styles['subject']}>
                  <Avatar src={person.avatar} name={person.fullname} size={36} lazy />
                  <span>
                    <Link to={paths.channel(username)} dir="auto">
                      {person.fullname}
                    </Link>
                    <small>@{username}</small>
                  </span>
                </span>
              </th>
              <td className={styles['wide']}>{person.email}</td>
              <td>
                {isAdministrator && mayChange ? (
                  <select
                    className={styles['role']}
                    aria-label={t`Role of ${username}`}
                    value={role}
                    onChange={({ currentTarget }) => {
                      const chosen = roles.find((name) => name === currentTarget.value)
                      if (chosen) onChangeRole(person, chosen)
                    }}
                  >
                    {roles.map((name) => (
                      <option key={name} value={name}>
                        {i18n._(roleNames[name])}
                      </option>
                    ))}
                  </select>
                ) : (
                  i18n._(roleNames[role])
                )}{' '}
                {person.isWaiting && (
                  <span className={styles['badge']}>{t({ message: 'Waiting', context: 'a person' })}</span>
                )}
                {person.deletesAt !== null && (
                  <span className={styles['alarming']}>
                    {t`Deletes on ${dayFormat.format(new Date(person.deletesAt))}`}
                  </span>
                )}
                {suspendedAt !== null && person.deletesAt === null && !person.isWaiting && (
                  <span className={styles['alarming']}>{t`Suspended`}</span>
                )}
              </td>
              <td className={styles['count']} data-label={t`Videos`}>
                {formatFullCount(person.videos)}
                {person.bytes > 0 && <span className={styles['note']}> · {formatBytes(person.bytes)}</span>}
              </td>
              <td className={styles['count']} data-label={t`Subscribers`}>
                {formatFullCount(person.subscribers)}
              </td>
              <td className={styles['day']} data-label={t`Joined`}>
                <time dateTime={person.createdAt}>{formatPublishedDay(person.createdAt, nowMs)}</time>
              </td>
              <td className={styles['wide']}>
                {(mayChange || isAdministrator) && (
                  <span className={styles['actions']}>
                    {mayChange && (
                      <Button
                        aria-label={`${suspensionActionOf(person)} ${username}`}
                        onClick={() => (suspendedAt === null ? onSuspend : onReinstate)(person)}
                      >
                        {suspensionActionOf(person)}
                      </Button>
                    )}
                    {isAdministrator && (
                      <Button
                        aria-label={t`Quota… ${username}`}
                        onClick={() => onChangeQuota(person)}
                      >{t`Quota…`}</Button>
                    )}
                    {isAdministrator && mayChange && (
                      <Button
                        aria-label={t`Delete… ${username}`}
                        onClick={() => onDelete(person)}
                      >{t`Delete…`}</Button>
                    )}
                  </span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
