import { msg, t } from '@lingui/core/macro'
import { decideReport, type Report } from '@kinora/contract/operations/reports.ts'
import { call } from '@kinora/contract/client.ts'
import type { ReportDecision } from '@kinora/contract/constants.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reportsQuery } from '../../features/operations/administration/api.ts'
import { EntryList } from '../../features/operations/administration/entry-list.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { RemovalDialog } from '../../features/operations/administration/removal-dialog.tsx'
import { ReportList } from '../../features/operations/administration/reports/report-list.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { useListView } from '../../features/operations/administration/use-list-view.ts'

const filters = { '': msg`Open`, answered: msg`Answered`, decided: msg`Decided` }

const put = (
  { _id: reportId }: Report,
  decision: ReportDecision | null,
  { note = '', hidesContent = false }: { note?: string; hidesContent?: boolean } = {},
) => call(decideReport, { params: { reportId }, body: { decision, note, hidesContent } })

/** The queue of reports: each with its context, to dismiss or to act on. */
export function ReportsPage() {
  const [view, setView] = useListView()
  const result = useQuery(reportsQuery(view))
  const { act, notice } = useActions()
  const [removed, setRemoved] = useState<Report>()
  const decide = (report: Report, decision: ReportDecision, details?: Parameters<typeof put>[2]) =>
    act({
      run: () => put(report, decision, details),
      done: decision === 'remove' ? t`Removed, and those concerned are notified.` : t`Dismissed.`,
      undo: () => put(report, report.decision, report),
    })
  return (
    <>
      <EntryList
        title={t`Reports`}
        filters={filters}
        emptyText={t`Videos, comments and channels that people report appear here.`}
        view={view}
        setView={setView}
        result={result}
        bar={<NoticeBar notice={notice} hint={t`Keys: J next, K previous, D dismiss, R remove.`} />}
      >
        {(reports) => (
          <ReportList
            reports={reports}
            onDismiss={(report) => decide(report, 'dismiss')}
            onRemove={setRemoved}
          />
        )}
      </EntryList>
      {removed && (
        <RemovalDialog
          kind={removed.kind}
          initialReason={removed.note}
          onClose={() => setRemoved(undefined)}
          optionLabel={
            removed.kind === 'channel' && removed.decision !== 'remove'
              ? t`Also hide this person’s videos and comments`
              : undefined
          }
          onRemove={(note, hidesContent) => decide(removed, 'remove', { note, hidesContent })}
        >
          {removed.title}
        </RemovalDialog>
      )}
    </>
  )
}
