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
import { DataTable } from '../../../../ui/data-table.tsx'
import styles from '../cells.module.css'
import { Subject } from '../cells.tsx'
import { PersonBadges } from './person-badges.tsx'
import { roleNames } from './role-names.ts'
import { mayChangePerson, suspensionActionOf } from './use-person-actions.tsx'

/** Accounts with what they hold, and what the caller may do to them. */
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
    <DataTable
      labelledBy="entries"
      rows={people}
      idOf={({ _id }) => _id}
      nameOf={({ fullname }) => fullname}
      columns={[
        {
          heading: t`Account`,
          kind: 'name',
          render: ({ username, fullname, avatar }) => (
            <Subject
              picture={<Avatar src={avatar} name={fullname} size={36} lazy />}
              note={<bdi>@{username}</bdi>}
            >
              <Link to={paths.person(username)} dir="auto">
                {fullname}
              </Link>
            </Subject>
          ),
        },
        { heading: t`Email`, kind: 'wide', render: ({ email }) => email },
        {
          heading: t`Role`,
          render: (person) => (
            <>
              {i18n._(roleNames[person.role])} <PersonBadges person={person} />
            </>
          ),
        },
        {
          heading: t`Videos`,
          kind: 'number',
          render: ({ videos, bytes }) => (
            <>
              {formatFullCount(videos)}
              {bytes > 0 && <span className={styles['note']}> · {formatBytes(bytes)}</span>}
            </>
          ),
        },
        {
          heading: t`Subscribers`,
          kind: 'number',
          render: ({ subscribers }) => formatFullCount(subscribers),
        },
        {
          heading: t`Joined`,
          kind: 'day',
          render: ({ createdAt }) => <time dateTime={createdAt}>{formatPublishedDay(createdAt, nowMs)}</time>,
        },
      ]}
      renderButtons={(person) =>
        person.isWaiting &&
        mayChangePerson(me, person) && (
          <Button aria-label={suspensionActionOf(person).named} onClick={() => toggleSuspension(person)}>
            {suspensionActionOf(person).label}
          </Button>
        )
      }
      actions={(person) => {
        const mayChange = mayChangePerson(me, person)
        return [
          mayChange &&
            !person.isWaiting && {
              label: person.suspendedAt === null ? t`Suspend…` : suspensionActionOf(person).label,
              onSelect: () => toggleSuspension(person),
            },
          isAdministrator && { label: t`Quota…`, onSelect: () => changeQuota(person) },
          isAdministrator && mayChange && { label: t`Delete…`, onSelect: () => deletePerson(person) },
        ].filter((action) => action !== false)
      }}
    />
  )
}
