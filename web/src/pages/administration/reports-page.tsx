import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { reportsQuery } from '../../features/operations/administration/api.ts'
import { EntryList } from '../../features/operations/administration/entry-list.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { ReportList } from '../../features/operations/administration/reports/report-list.tsx'
import { useReportActions } from '../../features/operations/administration/reports/use-report-actions.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { useListView } from '../../features/operations/administration/use-list-view.ts'

const filters = { '': msg`Open`, answered: msg`Answered`, decided: msg`Decided` }

/** Reports, also decided ones: each with its context, to dismiss or to act on. */
export function ReportsPage() {
  const [view, setView] = useListView()
  const result = useQuery(reportsQuery(view))
  const { act, notice } = useActions()
  const { dismiss, remove, dialog } = useReportActions(act)
  return (
    <>
      <EntryList
        title={t`Reports`}
        filters={filters}
        emptyTitle={t`All decided`}
        emptyText={t`Videos, comments, clips and channels that people report appear here.`}
        view={view}
        setView={setView}
        result={result}
        bar={<NoticeBar notice={notice} hint={t`Keys: J next, K previous, D dismiss, R remove.`} />}
      >
        {(reports) => <ReportList reports={reports} onDismiss={dismiss} onRemove={remove} />}
      </EntryList>
      {dialog}
    </>
  )
}
