import type { Report } from '@kinora/contract/reports.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../lib/format/age.ts'
import { countOf } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ExpandableText } from '../../ui/text/expandable-text.tsx'
import { reasonNames, removalNames } from './report-names.ts'
import styles from './report-list.module.css'
import { useQueue } from './use-queue.ts'

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
          <article aria-label={`${report.kind} of ${report.owner.username}`}>
            <p className={styles['facts']}>
              <b>{report.entriesCount === 0 ? 'Not reported' : countOf(report.entriesCount, 'report')}</b> ·{' '}
              {report.kind} of{' '}
              <Link to={paths.administrationOf('people', report.owner.username)}>
                @{report.owner.username}
              </Link>{' '}
              · {formatAge(report.createdAt, nowMs)}
              {report.owner.removals > 0 && ` · ${countOf(report.owner.removals, 'earlier removal')}`}
              {report.isGone && report.decision === null && ' · gone meanwhile'}
            </p>
            <ExpandableText lines={6} className={styles['subject']}>
              <SubjectLink report={report} />
            </ExpandableText>
            <ul className={styles['entries']}>
              {report.entries.map(({ reporter, reason, text, createdAt }) => (
                <li key={reporter}>
                  <b>{reasonNames[reason]}</b> <span>@{reporter}</span>{' '}
                  <time dateTime={createdAt}>{formatAge(createdAt, nowMs)}</time>
                  {text !== '' && <p dir="auto">{text}</p>}
                </li>
              ))}
              {report.entriesCount > report.entries.length && (
                <li>and {report.entriesCount - report.entries.length} more</li>
              )}
            </ul>
            {report.decision !== null && (
              <p className={styles['decision']}>
                {report.decision === 'remove' ? 'Removed' : 'Dismissed'} by {report.decidedBy}
                {report.note !== '' && `: ${report.note}`}
              </p>
            )}
            {report.answer !== null && (
              <p className={styles['answer']} dir="auto">
                <b>Answer of @{report.owner.username}:</b> {report.answer}
              </p>
            )}
            {report.isDeleted && report.decision === 'remove' && (
              <p className={styles['decision']}>
                The {report.kind} was deleted since and cannot be put back.
              </p>
            )}
            <p className={styles['actions']}>
              {canDismiss(report) && (
                <Button aria-keyshortcuts="d" onClick={() => decide(report, onDismiss)}>
                  {report.decision === null ? 'Dismiss' : 'Put back'}
                </Button>
              )}
              {(report.decision === 'remove' ? report.answer !== null : !report.isDeleted) && (
                <Button aria-keyshortcuts="r" onClick={() => decide(report, onRemove)}>
                  {report.decision === 'remove' ? 'Keep removed…' : removalNames[report.kind]}
                </Button>
              )}
            </p>
          </article>
        </li>
      ))}
    </ul>
  )
}

/** What was deleted cannot be put back. */
const canDismiss = ({ decision, isDeleted }: Report) =>
  decision === null || (decision === 'remove' && !isDeleted)

function SubjectLink({ report: { kind, subjectId, videoId, title, isGone, owner } }: { report: Report }) {
  if (isGone || (kind !== 'channel' && videoId === null)) return title
  const to =
    kind === 'channel'
      ? paths.channel(owner.username)
      : kind === 'comment'
        ? paths.comment(videoId ?? '', subjectId)
        : paths.watch(videoId ?? '')
  return <Link to={to}>{title}</Link>
}
