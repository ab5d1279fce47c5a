import type { Report } from '@kinora/contract/reports.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../lib/format/age.ts'
import { countOf } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ExpandableText } from '../../ui/text/expandable-text.tsx'
import { reasonNames, removalNames } from './report-names.ts'
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
  const list = useRef<HTMLUListElement>(null)
  const [nowMs] = useState(() => Date.now())
  const actedOn = useRef<number>(undefined)

  // A decided report leaves the list: the focus moves on to the one in its place.
  useEffect(() => {
    const items = list.current?.children ?? []
    const item = items[Math.min(actedOn.current ?? -1, items.length - 1)]
    if (document.activeElement !== document.body || !(item instanceof HTMLElement)) return
    item.focus()
    actedOn.current = undefined
    // Another list triggers the effect, which reads the page.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [reports])

  function decide(report: Report, how: typeof onDismiss) {
    actedOn.current = reports.indexOf(report)
    how(report)
  }

  function onKeyDown(event: KeyboardEvent<HTMLUListElement>) {
    // After a decision the next report has the focus: a held key would decide the whole list.
    if (event.repeat && ['d', 'r'].includes(event.key.toLowerCase())) return
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return
    const items = [...(list.current?.children ?? [])]
    const index = items.findIndex((item) => item.contains(document.activeElement))
    const report = reports[index]
    if (!report) return
    const key = event.key.toLowerCase()
    if (key === 'j' || key === 'k') {
      const next = items[index + (key === 'j' ? 1 : -1)]
      if (next instanceof HTMLElement) next.focus()
    } else if (key === 'd' && canDismiss(report)) decide(report, onDismiss)
    else if (key === 'r' && report.decision !== 'remove' && !report.isDeleted) decide(report, onRemove)
    else return
    event.preventDefault()
  }

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
