import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { Person } from '@kinora/contract/operations/people.ts'
import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatBytes } from '../../../../lib/format/bytes.ts'
import { formatFullCount } from '../../../../lib/format/counts.ts'
import { formatPublishedDay } from '../../../../lib/format/published-day.ts'
import { paths } from '../../../../paths.ts'
import { Avatar } from '../../../../ui/avatar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { PersonBadges } from './person-badges.tsx'
import { roleNames } from './role-names.ts'
import { RowMenu } from '../row-menu.tsx'
import styles from '../table.module.css'
import { mayChangePerson, suspensionActionOf } from './use-person-actions.tsx'

/** Accounts with what they hold, and what the caller may do to them. On narrow pages, only their own pages do it. */
export function PeopleTable({
  people,
  me,
  toggleSuspension,
  changeQuota,
  deletePerson,
}: {
  people: readonly Person[]
  me: { username: string; role: Role }
  toggleSuspension: (person: Person) => void
  changeQuota: (person: Person) => void
  deletePerson: (person: Person) => void
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
          const { username, role } = person
          const mayChange = mayChangePerson(me, person)
          const suspension = suspensionActionOf(person)
          return (
            <tr key={person._id}>
              <th scope="row">
                <span className={styles['subject']}>
                  <Avatar src={person.avatar} name={person.fullname} size={36} lazy />
                  <span>
                    <Link className={styles['row-link']} to={paths.person(username)} dir="auto">
                      {person.fullname}
                    </Link>
                    <small id={`person-${person._id}`}>
                      <bdi>@{username}</bdi>
                    </small>
                  </span>
                </span>
              </th>
              <td className={styles['wide']}>{person.email}</td>
              <td>
                {i18n._(roleNames[role])} <PersonBadges person={person} />
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
              <td className={styles['broad']}>
                {(mayChange || isAdministrator) && (
                  <span className={styles['actions']}>
                    {mayChange && person.isWaiting && (
                      <Button aria-label={suspension.named} onClick={() => toggleSuspension(person)}>
                        {suspension.label}
                      </Button>
                    )}
                    {(isAdministrator || !person.isWaiting) && (
                      <RowMenu describedBy={`person-${person._id}`}>
                        {mayChange && !person.isWaiting && (
                          <button type="button" onClick={() => toggleSuspension(person)}>
                            {person.suspendedAt === null ? t`Suspend…` : suspension.label}
                          </button>
                        )}
                        {isAdministrator && (
                          <button type="button" onClick={() => changeQuota(person)}>{t`Quota…`}</button>
                        )}
                        {isAdministrator && mayChange && (
                          <button type="button" onClick={() => deletePerson(person)}>{t`Delete…`}</button>
                        )}
                      </RowMenu>
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
