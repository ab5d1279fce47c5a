import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Person, PersonQuota } from '@kinora/contract/administration.ts'
import {
  changeQuota,
  changeRole,
  changeSuspension,
  deletePerson,
} from '@kinora/contract/calls/administration.ts'
import { call } from '@kinora/contract/client.ts'
import type { Role } from '@kinora/contract/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { peopleQuery } from '../../features/administration/api.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EntryList } from '../../features/administration/entry-list.tsx'
import { RemovalDialog } from '../../features/administration/removal-dialog.tsx'
import { QuotaDialog } from '../../features/administration/quota-dialog.tsx'
import { NoticeBar } from '../../features/administration/notice-bar.tsx'
import { PeopleTable } from '../../features/administration/people-table.tsx'
import { useActions } from '../../features/administration/use-actions.ts'
import { useListView } from '../../features/administration/use-list-view.ts'
import { useAuth } from '../../features/sessions/use-auth.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { videosOf } from '../../lib/format/counts.ts'

const filters = {
  '': msg`Everybody`,
  waiting: msg`Waiting for approval`,
  suspended: msg`Suspended`,
  leaving: msg`Being deleted`,
  moderator: msg`Moderators`,
  administrator: msg`Administrators`,
}

const putSuspension = ({ username }: Person, isSuspended: boolean, reason = '') =>
  call(changeSuspension, { params: { username }, body: { isSuspended, reason } })

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

/** Accounts: search, suspend, change roles, delete. */
export function PeoplePage() {
  const { authData } = useAuth()
  const [view, setView] = useListView()
  const result = useQuery(peopleQuery(view))
  const { act, notice } = useActions()
  const [deleted, setDeleted] = useState<Person>()
  const [limited, setLimited] = useState<Person>()
  const [suspended, setSuspended] = useState<Person>()
  if (!authData) return null
  return (
    <>
      <EntryList
        title={t`People`}
        findLabel={t`Find by name or email`}
        filters={filters}
        emptyText={t`Accounts appear here.`}
        view={view}
        setView={setView}
        result={result}
        bar={<NoticeBar notice={notice} />}
      >
        {(people) => (
          <PeopleTable
            people={people}
            me={authData}
            onSuspend={setSuspended}
            onReinstate={(person) =>
              act({
                run: () => putSuspension(person, false),
                done: person.deletesAt ? t`${person.username} is kept.` : t`${person.username} can sign in.`,
                ...(!person.deletesAt && { undo: () => putSuspension(person, true) }),
              })
            }
            onChangeRole={(person, role) =>
              act({
                run: () => putRole(person, role),
                done: t`${person.username} is now ${role === 'administrator' ? 'an' : 'a'} ${role}.`,
                undo: () => putRole(person, person.role),
              })
            }
            onChangeQuota={setLimited}
            onDelete={setDeleted}
          />
        )}
      </EntryList>
      {suspended && (
        <RemovalDialog
          kind="channel"
          onClose={() => setSuspended(undefined)}
          onRemove={(reason) =>
            act({
              run: () => putSuspension(suspended, true, reason),
              done: t`${suspended.username} is suspended and signed out everywhere.`,
              undo: () => putSuspension(suspended, false),
            })
          }
        >
          {suspended.username}
        </RemovalDialog>
      )}
      {limited && (
        <QuotaDialog
          person={limited}
          onClose={() => setLimited(undefined)}
          onSave={(quota) =>
            act({
              run: () => putQuota(limited, quota),
              done: t`The quota of ${limited.username} is saved.`,
              undo: () => putQuota(limited, limited),
            })
          }
        />
      )}
      {deleted && (
        <ConfirmDialog
          title={t`Delete the account ${deleted.username}`}
          confirmLabel={t`Delete`}
          onClose={() => setDeleted(undefined)}
          onConfirm={() =>
            act({
              run: () => call(deletePerson, { params: { username: deleted.username } }),
              done: t`${deleted.username} is deleted.`,
            })
          }
        >
          <p>
            <Trans>
              The account will be deleted with {videosOf(deleted.videos)} ({formatBytes(deleted.bytes)}), all
              comments, likes and subscriptions. This can’t be undone.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
