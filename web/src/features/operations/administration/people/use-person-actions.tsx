import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type Person,
  type PersonQuota,
  changeQuota,
  changeRole,
  deletePerson,
} from '@kinora/contract/operations/people.ts'
import { changeSuspension } from '@kinora/contract/operations/moderation.ts'
import { call } from '@kinora/contract/client.ts'
import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import { type ReactNode, useState } from 'react'
import { formatBytes } from '../../../../lib/format/bytes.ts'
import { videosOf } from '../../../../lib/format/counts.ts'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { QuotaDialog } from './quota-dialog.tsx'
import { RemovalDialog } from '../removal-dialog.tsx'
import type { Action } from '../use-actions.ts'

const putSuspension = ({ username }: Person, isSuspended: boolean, reason = '', hidesContent = false) =>
  call(changeSuspension, { params: { username }, body: { isSuspended, reason, hidesContent } })

const putRole = ({ username }: Person, role: Role) =>
  call(changeRole, { params: { username }, body: { role } })

const putQuota = (
  { username }: Person,
  { quotaBytes, quotaVideos, quotaDailyBytes, quotaVideoMinutes }: PersonQuota,
) =>
  call(changeQuota, {
    params: { username },
    body: { quotaBytes, quotaVideos, quotaDailyBytes, quotaVideoMinutes },
  })

/** The same rule as on the server: nobody their own account, moderators only members. The own quota is no such change. */
export const mayChangePerson = (me: { username: string; role: Role }, { username, role }: Person) =>
  username !== me.username && (role === 'member' || hasRole(me.role, 'administrator'))

/** Labels of the button that changes the suspension, alone and with the name of the account. */
export function suspensionActionOf({ username, suspendedAt, deletesAt, isWaiting }: Person): {
  label: string
  named: string
} {
  if (deletesAt !== null)
    return { label: t({ message: 'Keep', context: 'an account' }), named: t`Keep ${username}` }
  if (isWaiting) return { label: t`Approve`, named: t`Approve ${username}` }
  if (suspendedAt === null) return { label: t`Suspend`, named: t`Suspend ${username}` }
  return { label: t`Reinstate`, named: t`Reinstate ${username}` }
}

function describeRole(username: string, role: Role): string {
  if (role === 'administrator') return t`${username} is now an administrator.`
  return role === 'moderator' ? t`${username} is now a moderator.` : t`${username} is now a member.`
}

/** Actions of moderators and administrators on accounts. Render `dialogs`, which ask first where that is due. */
export function usePersonActions(
  act: (action: Action) => void,
  { onDeleted }: { onDeleted?: () => void } = {},
): {
  /** Suspends, or takes a suspension or deletion back; also approves one that waits. */
  toggleSuspension: (person: Person) => void
  changeRole: (person: Person, role: Role) => void
  changeQuota: (person: Person) => void
  deletePerson: (person: Person) => void
  dialogs: ReactNode
} {
  const [asking, setAsking] = useState<{
    person: Person
    about: 'suspension' | 'quota' | 'deletion' | 'promotion'
  }>()
  const close = () => setAsking(undefined)
  const saveRole = (person: Person, role: Role) =>
    act({
      run: () => putRole(person, role),
      done: describeRole(person.username, role),
      undo: () => putRole(person, person.role),
    })
  const reinstate = (person: Person) =>
    act({
      run: () => putSuspension(person, false),
      done: person.deletesAt ? t`${person.username} is kept.` : t`${person.username} can sign in.`,
      ...(!person.deletesAt && { undo: () => putSuspension(person, true) }),
    })
  return {
    toggleSuspension: (person) =>
      person.suspendedAt === null ? setAsking({ person, about: 'suspension' }) : reinstate(person),
    changeRole: (person, role) =>
      role === 'administrator' ? setAsking({ person, about: 'promotion' }) : saveRole(person, role),
    changeQuota: (person) => setAsking({ person, about: 'quota' }),
    deletePerson: (person) => setAsking({ person, about: 'deletion' }),
    dialogs: asking && (
      <PersonDialog
        {...asking}
        onClose={close}
        act={act}
        onPromote={() => saveRole(asking.person, 'administrator')}
        onDeleted={onDeleted}
      />
    ),
  }
}

function PersonDialog({
  person,
  about,
  act,
  onPromote,
  onDeleted,
  onClose,
}: {
  person: Person
  about: 'suspension' | 'quota' | 'deletion' | 'promotion'
  act: (action: Action) => void
  onPromote: () => void
  onDeleted: (() => void) | undefined
  onClose: () => void
}) {
  const { username } = person
  if (about === 'suspension')
    return (
      <RemovalDialog
        kind="channel"
        onClose={onClose}
        optionLabel={t`Also hide this person’s videos and comments`}
        onRemove={(reason, hidesContent) =>
          act({
            run: () => putSuspension(person, true, reason, hidesContent),
            done: t`${username} is suspended and signed out everywhere.`,
            undo: () => putSuspension(person, false),
          })
        }
      >
        {username}
      </RemovalDialog>
    )
  if (about === 'quota')
    return (
      <QuotaDialog
        person={person}
        onClose={onClose}
        onSave={(quota) =>
          act({
            run: () => putQuota(person, quota),
            done: t`The quota of ${username} is saved.`,
            undo: () => putQuota(person, person),
          })
        }
      />
    )
  if (about === 'promotion')
    return (
      <ConfirmDialog
        title={t`Make ${username} an administrator`}
        confirmLabel={t`Make administrator`}
        onClose={onClose}
        onConfirm={onPromote}
      >
        <p>
          {t`Administrators change all settings, delete accounts and videos, and can take this role from you.`}
        </p>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      title={t`Delete the account ${username}`}
      confirmLabel={t`Delete`}
      onClose={onClose}
      onConfirm={() =>
        act({
          run: async () => {
            await call(deletePerson, { params: { username } })
            onDeleted?.()
          },
          done: t`${username} is deleted.`,
        })
      }
    >
      <p>
        <Trans>
          The account will be deleted with {videosOf(person.videos)} ({formatBytes(person.bytes)}), all
          comments, likes and subscriptions. This can’t be undone.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
