import { plural, t } from '@lingui/core/macro'
import type { Comment } from '@kinora/contract/conversation/comments.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../../lib/format/counts.ts'
import { itemsOf } from '../../../lib/list-pages.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { optionalFieldsOf, repliesQuery } from './api.ts'
import { CommentItem, type CommentItemProps } from './comment-item.tsx'
import styles from './comment-thread.module.css'

/** A comment with its replies, which are loaded when they are opened. */
export function CommentThread({
  linkedReply,
  ...props
}: CommentItemProps & {
  /** A reply that the address names. */
  linkedReply?: Comment | undefined
}) {
  const { comment, videoId } = props
  const { replies: repliesCount } = optionalFieldsOf(comment)
  const shownCount = formatCount(repliesCount)
  const [isOpen, setOpen] = useState(linkedReply !== undefined)
  const query = useInfiniteQuery({ ...repliesQuery(videoId, comment._id), enabled: isOpen })
  const loaded = itemsOf(query.data)
  const isLinkedLoaded = loaded.some(({ _id }) => _id === linkedReply?._id)
  const replies = linkedReply && !isLinkedLoaded ? [...loaded, linkedReply] : loaded
  const isShown = isOpen && (query.isPending || query.isError || replies.length > 0)
  return (
    <CommentItem {...props} onReplied={() => setOpen(true)}>
      {repliesCount > 0 && (
        <Button
          variant="bare"
          className={styles['toggle']}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={isOpen ? ChevronUp : ChevronDown} size={18} />
          {plural(repliesCount, {
            one: `${shownCount} reply`,
            other: `${shownCount} replies`,
          })}
        </Button>
      )}
      {isShown && (
        <div className={styles['replies']}>
          {query.isPending && <p role="status">{t`Loading replies…`}</p>}
          <ul aria-label={t`Replies`}>
            {replies.map((reply) => (
              <li key={reply._id}>
                <CommentItem
                  {...props}
                  comment={reply}
                  isLinked={reply._id === linkedReply?._id}
                  onReplied={() => setOpen(true)}
                />
              </li>
            ))}
          </ul>
          {query.isLoadingError && (
            <LoadFailure title={t`Could not load the replies`} onRetry={() => void query.refetch()} />
          )}
          {query.hasNextPage && (
            <Button
              variant="bare"
              aria-disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchNextPageError ? t`Try again` : t`Show more replies`}
            </Button>
          )}
        </div>
      )}
    </CommentItem>
  )
}
