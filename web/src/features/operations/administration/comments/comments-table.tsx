import { t } from '@lingui/core/macro'
import type { ListedComment } from '@kinora/contract/operations/moderation.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { ExpandableText } from '../../../../ui/text/expandable-text.tsx'
import styles from '../cells.module.css'
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
  return (
    <DataTable
      labelledBy="entries"
      rows={comments}
      idOf={({ _id }) => _id}
      nameOf={({ author, content }) => `${author}: ${content.slice(0, 80)}`}
      selection={{ selected, onSelect }}
      columns={[
        {
          heading: t`Comment`,
          kind: 'wide',
          render: ({ isHeld, content }) => (
            <>
              {isHeld && <Badge>{t`Waiting for approval`}</Badge>}
              <ExpandableText lines={4} className={styles['text']}>
                {content}
              </ExpandableText>
            </>
          ),
        },
        {
          heading: t`Author`,
          render: ({ author }) => (
            <Link to={commentsPathOf(author)}>
              <bdi>@{author}</bdi>
            </Link>
          ),
        },
        {
          heading: t`Video`,
          render: (comment) => (
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
          ),
        },
        {
          heading: comments.some(isRemoved) ? t`Removed` : t`Written`,
          kind: 'day',
          isLabelled: false,
          render: ({ removedAt, createdAt }) => (
            <time dateTime={removedAt ?? createdAt}>{formatAge(removedAt ?? createdAt, nowMs)}</time>
          ),
        },
      ]}
    />
  )
}
