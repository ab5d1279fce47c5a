import { t } from '@lingui/core/macro'
import type { ListedComment } from '@kinora/contract/operations/moderation.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { paths } from '../../../../paths.ts'
import { rowSelection } from '../../../../ui/row-selection.ts'
import { ExpandableText } from '../../../../ui/text/expandable-text.tsx'
import styles from '../table.module.css'
import { commentsPathOf } from '../use-list-view.ts'

const isRemoved = ({ removedAt }: ListedComment) => removedAt !== null

/** Comments of everybody, to select; those that moderators deleted with that time. */
export function CommentsTable({
  comments,
  selected,
  onSelect,
}: {
  comments: readonly ListedComment[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}) {
  const [nowMs] = useState(() => Date.now())
  const { isAllSelected, toggleAll, toggle } = rowSelection(
    comments.map(({ _id }) => _id),
    selected,
    onSelect,
  )
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">
            <label className={styles['check']}>
              <input
                type="checkbox"
                aria-label={t`Select all`}
                checked={isAllSelected}
                onChange={toggleAll}
              />
              <span className={styles['narrow']}>{t`Select all`}</span>
            </label>
          </th>
          <th scope="col">{t`Comment`}</th>
          <th scope="col">{t`Author`}</th>
          <th scope="col">{t`Video`}</th>
          <th scope="col">{comments.some(isRemoved) ? t`Removed` : t`Written`}</th>
        </tr>
      </thead>
      <tbody>
        {comments.map((comment) => (
          <tr key={comment._id} data-selected={selected.has(comment._id) || undefined}>
            <td>
              <label className={styles['check']}>
                <input
                  type="checkbox"
                  aria-label={t`Select the comment of ${comment.author}: ${comment.content.slice(0, 80)}`}
                  checked={selected.has(comment._id)}
                  onChange={() => toggle(comment._id)}
                />
              </label>
            </td>
            <td className={styles['wide']}>
              {comment.isHeld && <span className={styles['badge']}>{t`Waiting for approval`}</span>}
              <ExpandableText lines={4} className={styles['text']}>
                {comment.content}
              </ExpandableText>
            </td>
            <td>
              <Link to={commentsPathOf(comment.author)} dir="auto">
                @{comment.author}
              </Link>
            </td>
            <td data-label={t({ message: 'on', context: 'a comment on a video' })}>
              <Link
                to={
                  isRemoved(comment)
                    ? paths.watch(comment.videoId)
                    : paths.comment(comment.videoId, comment._id)
                }
                dir="auto"
              >
                {comment.videoTitle}
              </Link>
            </td>
            <td className={styles['day']}>
              <time dateTime={comment.removedAt ?? comment.createdAt}>
                {formatAge(comment.removedAt ?? comment.createdAt, nowMs)}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
