import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ListedComment } from '@kinora/contract/operations/moderation.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { ExpandableText } from '../../../../ui/text/expandable-text.tsx'
import styles from '../reports/report-list.module.css'
import { commentsPathOf } from '../use-list-view.ts'
import { useQueue } from '../use-queue.ts'

/**
 * Comments that wait for approval. While one of them has the focus, J and K move to the next and previous one, A
 * approves it and R removes it.
 */
export function HeldComments({
  comments,
  onApprove,
  onRemove,
}: {
  comments: readonly ListedComment[]
  onApprove: (comment: ListedComment) => void
  onRemove: (comment: ListedComment) => void
}) {
  const [nowMs] = useState(() => Date.now())
  const { list, onKeyDown, decide } = useQueue(comments, { a: onApprove, r: onRemove })
  return (
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul ref={list} className={styles['list']} onKeyDown={onKeyDown}>
      {comments.map((comment) => (
        <li key={comment._id} tabIndex={-1}>
          <article aria-label={t`Comment of ${comment.author}`}>
            <p className={styles['facts']}>
              <Trans>
                <Link to={commentsPathOf(comment.author)}>@{comment.author}</Link> on{' '}
                <Link to={paths.watch(comment.videoId)} dir="auto">
                  {comment.videoTitle}
                </Link>{' '}
                · <time dateTime={comment.createdAt}>{formatAge(comment.createdAt, nowMs)}</time>
              </Trans>
            </p>
            <ExpandableText lines={6} className={styles['subject']}>
              {comment.content}
            </ExpandableText>
            <p className={styles['actions']}>
              <Button aria-keyshortcuts="a" onClick={() => decide(comment, onApprove)}>{t`Approve`}</Button>
              <Button aria-keyshortcuts="r" onClick={() => decide(comment, onRemove)}>{t`Remove`}</Button>
            </p>
          </article>
        </li>
      ))}
    </ul>
  )
}
