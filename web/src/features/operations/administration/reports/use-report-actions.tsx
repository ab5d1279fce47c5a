import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import type { ReportDecision } from '@kinora/contract/constants.ts'
import { decideReport, type Report } from '@kinora/contract/operations/reports.ts'
import { type ReactNode, useState } from 'react'
import { RemovalDialog } from '../removal-dialog.tsx'
import type { Action } from '../use-actions.ts'

const put = (
  { _id: reportId }: Report,
  decision: ReportDecision | null,
  { note = '', hidesContent = false }: { note?: string; hidesContent?: boolean } = {},
) => call(decideReport, { params: { reportId }, body: { decision, note, hidesContent } })

/** Decisions about reports. Render `dialog`, which asks for the reason of a removal. */
export function useReportActions(act: (action: Action) => void): {
  dismiss: (report: Report) => void
  remove: (report: Report) => void
  dialog: ReactNode
} {
  const [removed, setRemoved] = useState<Report>()
  const decide = (report: Report, decision: ReportDecision, details?: Parameters<typeof put>[2]) =>
    act({
      run: () => put(report, decision, details),
      done: decision === 'remove' ? t`Removed, and those concerned are notified.` : t`Dismissed.`,
      // a removed clip is gone
      undo:
        report.kind === 'clip' && decision === 'remove'
          ? undefined
          : () => put(report, report.decision, report),
    })
  return {
    dismiss: (report) => decide(report, 'dismiss'),
    remove: setRemoved,
    dialog: removed && (
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
    ),
  }
}
