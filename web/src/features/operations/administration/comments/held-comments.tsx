import type { ListedComment } from '@kinora/contract/operations/moderation.ts'
import { useState } from 'react'
import { rowSelection } from '../../../../ui/row-selection.ts'
import styles from '../reports/report-list.module.css'
import { useQueue } from '../use-queue.ts'
import { HeldCommentItem } from './held-comment-item.tsx'

/**
 * Comments that wait for approval. While one of them has the focus, J and K move to the next and previous one, A
 * approves it and R removes it.
 */
export function HeldComments({
  comments,
  selected,
  onSelect,
  onApprove,
  onRemove,
}: {
  comments: readonly ListedComment[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onApprove: (comment: ListedComment) => void
  onRemove: (comment: ListedComment) => void
}) {
  const [nowMs] = useState(() => Date.now())
  const { toggle } = rowSelection(
    comments.map(({ _id }) => _id),
    selected,
    onSelect,
  )
  const { list, onKeyDown, decide } = useQueue(comments, { a: onApprove, r: onRemove })
  return (
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul ref={list} className={styles['list']} onKeyDown={onKeyDown}>
      {comments.map((comment) => (
        <li key={comment._id} tabIndex={-1}>
          <HeldCommentItem
            comment={comment}
            nowMs={nowMs}
            isSelected={selected.has(comment._id)}
            onSelect={() => toggle(comment._id)}
            onApprove={() => decide(comment, onApprove)}
            onRemove={() => decide(comment, onRemove)}
          />
        </li>
      ))}
    </ul>
  )
}
