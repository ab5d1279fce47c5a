import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { commandLine } from '@kinora/contract/constants.ts'
import type { Report } from '@kinora/contract/operations/reports.ts'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { ExpandableText } from '../../../../ui/text/expandable-text.tsx'
import { kindNames, reasonNames, removalNames } from './report-names.ts'
import styles from './report-list.module.css'

/** Whether a report can be dismissed. Deleted content cannot be restored. */
export const canDismiss = ({ decision, isDeleted }: Report) =>
  decision === null || (decision === 'remove' && !isDeleted)

/** Whether what a report is about can be removed, or stay removed after an answer. */
export const canRemove = ({ decision, isDeleted, answer }: Report) =>
  decision === 'remove' ? answer !== null : !isDeleted

/** A report with its context and its buttons. */
export function ReportItem({
  report,
  nowMs,
  onDismiss,
  onRemove,
}: {
  report: Report
  nowMs: number
  onDismiss: () => void
  onRemove: () => void
}) {
  return (
    <article aria-label={t`${report.kind} of ${report.owner.username}`}>
      <p className={styles['facts']}>
        <b>
          {report.entriesCount === 0
            ? t`Not reported`
            : plural(report.entriesCount, { one: '# report', other: '# reports' })}
        </b>{' '}
        · {i18n._(kindNames[report.kind])} ·{' '}
        <Link to={paths.administrationOf('people', report.owner.username)}>
          <bdi>@{report.owner.username}</bdi>
        </Link>{' '}
        · {formatAge(report.createdAt, nowMs)}
        {report.owner.removals > 0 &&
          ` · ${plural(report.owner.removals, { one: '# earlier removal', other: '# earlier removals' })}`}
        {report.isGone && report.decision === null && ` · ${t`gone meanwhile`}`}
        {report.kind === 'clip' && report.videoId === null && !report.isGone && ` · ${t`hidden from you`}`}
      </p>
      <ExpandableText lines={6} className={styles['subject']}>
        <SubjectLink report={report} />
      </ExpandableText>
      <ul className={styles['entries']}>
        {report.entries.map(({ reporter, reason, text, createdAt }) => (
          <li key={reporter}>
            <b>{i18n._(reasonNames[reason])}</b>{' '}
            <span>
              <bdi>@{reporter}</bdi>
            </span>{' '}
            <time dateTime={createdAt}>{formatAge(createdAt, nowMs)}</time>
            {text !== '' && <p dir="auto">{text}</p>}
          </li>
        ))}
        {report.entriesCount > report.entries.length && (
          <li>{t`and ${report.entriesCount - report.entries.length} more`}</li>
        )}
      </ul>
      {report.decision !== null && (
        <p className={styles['decision']}>
          {describeDecision(report)}
          {report.note !== '' && `: ${report.note}`}
        </p>
      )}
      {report.answer !== null && (
        <p className={styles['answer']} dir="auto">
          <b>{t`Answer of @${report.owner.username}:`}</b> {report.answer}
        </p>
      )}
      {report.isDeleted && report.decision === 'remove' && (
        <p className={styles['decision']}>
          {report.kind === 'clip'
            ? t`Removed clips cannot be put back.`
            : t`The ${report.kind} was deleted since and cannot be put back.`}
        </p>
      )}
      <p className={styles['actions']}>
        {canDismiss(report) && (
          <Button aria-keyshortcuts="d" onClick={onDismiss}>
            {report.decision === null ? t`Dismiss` : t`Put back`}
          </Button>
        )}
        {canRemove(report) && (
          <Button aria-keyshortcuts="r" onClick={onRemove}>
            {report.decision === 'remove' ? t`Keep removed…` : i18n._(removalNames[report.kind])}
          </Button>
        )}
      </p>
    </article>
  )
}

function SubjectLink({ report: { kind, subjectId, videoId, title, isGone, owner } }: { report: Report }) {
  if (isGone || (kind !== 'channel' && videoId === null)) return title
  const to = {
    video: paths.watch(videoId ?? ''),
    comment: paths.comment(videoId ?? '', subjectId),
    channel: paths.channel(owner.username),
    clip: paths.clip(subjectId),
  }[kind]
  return <Link to={to}>{title}</Link>
}

function describeDecision({ decision, decidedBy }: Report): string {
  if (decidedBy === commandLine)
    return decision === 'remove' ? t`Removed by an administrator` : t`Dismissed by an administrator`
  return decision === 'remove' ? t`Removed by ${decidedBy ?? ''}` : t`Dismissed by ${decidedBy ?? ''}`
}
