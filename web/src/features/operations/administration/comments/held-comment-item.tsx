import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HeldBy } from '@kinora/contract/constants.ts'
import type { ListedComment } from '@kinora/contract/operations/moderation.ts'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { ExpandableText } from '../../../../ui/text/expandable-text.tsx'
import styles from '../reports/report-list.module.css'
import { commentsPathOf } from '../use-list-view.ts'

/** Why comments wait for approval. */
const ruleNames: Record<HeldBy, MessageDescriptor> = {
  word: msg`has a watched word`,
  link: msg`has a link`,
  first: msg`first comment of the account`,
}

/** A comment that waits for approval, with its buttons. */
export function HeldCommentItem({
  comment,
  nowMs,
  onApprove,
  onRemove,
  isSelected,
  onSelect,
}: {
  comment: ListedComment
  nowMs: number
  onApprove: () => void
  onRemove: () => void
  isSelected?: boolean
  /** Where comments can be selected. */
  onSelect?: () => void
}) {
  return (
    <article aria-label={t`Comment of ${comment.author}`}>
      <p className={styles['facts']}>
        {onSelect && (
          <label className={styles['check']}>
            <input
              type="checkbox"
              aria-label={t`Select the comment of ${comment.author}: ${comment.content.slice(0, 80)}`}
              checked={isSelected}
              onChange={onSelect}
            />
          </label>
        )}
        <Trans>
          <Link to={commentsPathOf(comment.author)}>@{comment.author}</Link> on{' '}
          <Link to={paths.watch(comment.videoId)} dir="auto">
            {comment.videoTitle}
          </Link>{' '}
          · <time dateTime={comment.createdAt}>{formatAge(comment.createdAt, nowMs)}</time>
        </Trans>
        {comment.heldBy && ` · ${i18n._(ruleNames[comment.heldBy])}`}
      </p>
      <ExpandableText lines={6} className={styles['subject']}>
        {comment.content}
      </ExpandableText>
      <p className={styles['actions']}>
        <Button aria-keyshortcuts="a" onClick={onApprove}>{t`Approve`}</Button>
        <Button aria-keyshortcuts="r" onClick={onRemove}>{t`Remove`}</Button>
      </p>
    </article>
  )
}
