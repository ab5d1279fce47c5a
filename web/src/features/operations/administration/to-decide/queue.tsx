import type { ListedComment, ListedVideo } from '@kinora/contract/operations/moderation.ts'
import type { Person } from '@kinora/contract/operations/people.ts'
import type { Report } from '@kinora/contract/operations/reports.ts'
import { useState } from 'react'
import { HeldCommentItem } from '../comments/held-comment-item.tsx'
import { canDismiss, canRemove, ReportItem } from '../reports/report-item.tsx'
import styles from '../reports/report-list.module.css'
import { useQueue } from '../use-queue.ts'
import { WaitingAccountItem, WaitingVideoItem } from './waiting-items.tsx'

/** Something that waits for a decision. */
export type Waiting =
  | { kind: 'report'; report: Report }
  | { kind: 'comment'; comment: ListedComment }
  | { kind: 'account'; person: Person }
  | { kind: 'video'; video: ListedVideo }

/** Decisions about entries of the queue. */
interface Decisions {
  dismissReport: (report: Report) => void
  removeReported: (report: Report) => void
  approveComment: (comment: ListedComment) => void
  removeComment: (comment: ListedComment) => void
  approveAccount: (person: Person) => void
  /** Administrators only. */
  deleteAccount: ((person: Person) => void) | undefined
  approveVideo: (video: ListedVideo) => void
  takeDownVideo: (video: ListedVideo) => void
}

/** The id of an entry, unique among all kinds. */
function keyOf(entry: Waiting): string {
  if (entry.kind === 'report') return `report ${entry.report._id}`
  if (entry.kind === 'comment') return `comment ${entry.comment._id}`
  return entry.kind === 'account' ? `account ${entry.person._id}` : `video ${entry.video._id}`
}

/** When an entry arrived. */
export function arrivalOf(entry: Waiting): string {
  if (entry.kind === 'report') return entry.report.createdAt
  if (entry.kind === 'comment') return entry.comment.createdAt
  return entry.kind === 'account' ? entry.person.createdAt : entry.video.createdAt
}

function approve(entry: Waiting, decisions: Decisions): boolean | void {
  if (entry.kind === 'report') return false
  if (entry.kind === 'comment') return decisions.approveComment(entry.comment)
  if (entry.kind === 'account') return decisions.approveAccount(entry.person)
  return decisions.approveVideo(entry.video)
}

function remove(entry: Waiting, decisions: Decisions): boolean | void {
  if (entry.kind === 'report') return canRemove(entry.report) && decisions.removeReported(entry.report)
  if (entry.kind === 'comment') return decisions.removeComment(entry.comment)
  if (entry.kind === 'video') return decisions.takeDownVideo(entry.video)
  if (!decisions.deleteAccount) return false
  return decisions.deleteAccount(entry.person)
}

const dismiss = (entry: Waiting, decisions: Decisions): boolean | void =>
  entry.kind === 'report' && canDismiss(entry.report) && decisions.dismissReport(entry.report)

/**
 * Everything that waits for moderators, in one list. While an entry has the focus, J and K move to the next and previous one,
 * A approves it, D dismisses it and R removes it.
 */
export function Queue({ entries, decisions }: { entries: readonly Waiting[]; decisions: Decisions }) {
  const [nowMs] = useState(() => Date.now())
  const { list, onKeyDown, decide } = useQueue(entries, {
    a: (entry) => approve(entry, decisions),
    d: (entry) => dismiss(entry, decisions),
    r: (entry) => remove(entry, decisions),
  })
  return (
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul ref={list} className={styles['list']} onKeyDown={onKeyDown}>
      {entries.map((entry) => {
        const onApprove = () => decide(entry, () => void approve(entry, decisions))
        const onRemove = () => decide(entry, () => void remove(entry, decisions))
        return (
          <li key={keyOf(entry)} tabIndex={-1}>
            {entry.kind === 'report' && (
              <ReportItem
                report={entry.report}
                nowMs={nowMs}
                onDismiss={() => decide(entry, () => void dismiss(entry, decisions))}
                onRemove={onRemove}
              />
            )}
            {entry.kind === 'comment' && (
              <HeldCommentItem
                comment={entry.comment}
                nowMs={nowMs}
                onApprove={onApprove}
                onRemove={onRemove}
              />
            )}
            {entry.kind === 'account' && (
              <WaitingAccountItem
                person={entry.person}
                nowMs={nowMs}
                onApprove={onApprove}
                onDelete={decisions.deleteAccount && onRemove}
              />
            )}
            {entry.kind === 'video' && (
              <WaitingVideoItem
                video={entry.video}
                nowMs={nowMs}
                onApprove={onApprove}
                onTakeDown={onRemove}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
