import { msg, t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { allVideosQuery } from '../../features/operations/administration/api.ts'
import { EntryList } from '../../features/operations/administration/entry-list.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { useListView } from '../../features/operations/administration/use-list-view.ts'
import { useVideoActions } from '../../features/operations/administration/use-video-actions.tsx'
import { videoStateNames } from '../../features/operations/administration/video-state-badge.tsx'
import { VideosTable } from '../../features/operations/administration/videos-table.tsx'

const filters = { '': msg`All videos`, ...videoStateNames }

/** Videos of everybody: search, approve, take down, show again, delete. */
export function VideosPage() {
  const { authData } = useAuth()
  const [view, setView] = useListView()
  const result = useQuery(allVideosQuery(view))
  const { act, notice } = useActions()
  const { dialogs, ...actions } = useVideoActions(act)
  return (
    <>
      <EntryList
        title={t`Videos`}
        findLabel={t`Find by title or owner`}
        filters={filters}
        emptyText={t`Videos that people upload appear here.`}
        view={view}
        setView={setView}
        result={result}
        bar={<NoticeBar notice={notice} />}
      >
        {(videos) => (
          <VideosTable
            videos={videos}
            mayDelete={hasRole(authData?.role ?? 'member', 'administrator')}
            {...actions}
          />
        )}
      </EntryList>
      {dialogs}
    </>
  )
}
