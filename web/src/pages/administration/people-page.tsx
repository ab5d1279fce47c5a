import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { peopleQuery } from '../../features/operations/administration/api.ts'
import { EntryList } from '../../features/operations/administration/entry-list.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { PeopleTable } from '../../features/operations/administration/people/people-table.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { useListView } from '../../features/operations/administration/use-list-view.ts'
import { usePersonActions } from '../../features/operations/administration/people/use-person-actions.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'

const filters = {
  '': msg`Everybody`,
  waiting: msg`Waiting for approval`,
  suspended: msg`Suspended`,
  leaving: msg`Being deleted`,
  moderator: msg`Moderators`,
  administrator: msg`Administrators`,
}

/** Accounts: search, suspend, change roles, delete. Each has a page of its own. */
export function PeoplePage() {
  const { authData } = useAuth()
  const [view, setView] = useListView()
  const result = useQuery(peopleQuery(view))
  const { act, notice } = useActions()
  const { dialogs, ...actions } = usePersonActions(act)
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
        {(people) => <PeopleTable people={people} me={authData} {...actions} />}
      </EntryList>
      {dialogs}
    </>
  )
}
