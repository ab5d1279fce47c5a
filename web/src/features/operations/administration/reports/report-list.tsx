import type { Report } from '@kinora/contract/operations/reports.ts'
import { useState } from 'react'
import { useQueue } from '../use-queue.ts'
import { canDismiss, ReportItem } from './report-item.tsx'
import styles from './report-list.module.css'

/**
 * Reports with their context. While one of them has the focus, J and K move to the next and previous one, D dismisses it and
 * R removes what it is about.
 */
export function ReportList({
  reports,
  onDismiss,
  onRemove,
}: {
  reports: readonly Report[]
  onDismiss: (report: Report) => void
  onRemove: (report: Report) => void
}) {
  const [nowMs] = useState(() => Date.now())
  const { list, onKeyDown, decide } = useQueue(reports, {
    d: (report) => canDismiss(report) && onDismiss(report),
    r: (report) => report.decision !== 'remove' && !report.isDeleted && onRemove(report),
  })

  return (
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul ref={list} className={styles['list']} onKeyDown={onKeyDown}>
      {reports.map((report) => (
        <li key={report._id} tabIndex={-1}>
          <ReportItem
            report={report}
            nowMs={nowMs}
            onDismiss={() => decide(report, onDismiss)}
            onRemove={() => decide(report, onRemove)}
          />
        </li>
      ))}
    </ul>
  )
}
