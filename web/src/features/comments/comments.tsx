import type { User } from '@kinora/contract/users.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'
import { itemsOf } from '../../lib/list-pages.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { TimeLinks } from '../../ui/text/linkified-text.tsx'
import { commentsQuery } from './api.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import styles from './comments.module.css'

/** Comments of a video and the form to add one. */
export function Comments({
  videoId,
  isOwnVideo,
  areAllowed,
  authStatus,
  user,
  times,
  requireSession,
  onRefused,
}: {
  videoId: string
  isOwnVideo: boolean
  /** False where the owner has turned comments off; existing ones stay. */
  areAllowed: boolean
  /** Null until the session check finishes. */
  authStatus: boolean | null
  user: User | null
  times: TimeLinks
  requireSession: (act: () => void) => void
  /** Called for rejected requests while the page is still open. */
  onRefused: (error: unknown) => void
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useInfiniteQuery(commentsQuery(videoId))
  const comments = itemsOf(query.data)
  const isComplete = query.data !== undefined && !query.hasNextPage
  return (
    <section className={styles['comments']} aria-label="Comments">
      <h2 ref={heading} tabIndex={-1}>
        Comments {isComplete && comments.length > 0 && <small>{comments.length}</small>}
      </h2>
      <div className={styles['entry']}>
        {!areAllowed && <p className={styles['invitation']}>Comments are turned off.</p>}
        {areAllowed && authStatus === false && (
          <p className={styles['invitation']}>
            <Link to={paths.login()}>Log in</Link> to leave a comment.
          </p>
        )}
        {areAllowed && user?.avatar && (
          <CommentForm key={user._id} videoId={videoId} author={user} onRefused={onRefused} />
        )}
      </div>
      {query.isPending && <CommentsSkeleton />}
      {query.isLoadingError && (
        // By specification a failure is only logged; a button to retry is not a message.
        <Button className={styles['retry']} onClick={() => void query.refetch()}>
          Load comments
        </Button>
      )}
      {isComplete && comments.length === 0 && <p className={styles['empty']}>No comments yet</p>}
      {comments.map((comment) => (
        <ErrorBoundary key={comment._id} fallback="This comment cannot be displayed.">
          <CommentItem
            comment={comment}
            videoId={videoId}
            isOwnVideo={isOwnVideo}
            user={user}
            times={times}
            requireSession={requireSession}
            onRefused={onRefused}
            onDeleted={(article) => passFocusOn(article, heading.current)}
          />
        </ErrorBoundary>
      ))}
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        hasFailed={query.isFetchNextPageError}
        onMore={query.fetchNextPage}
      />
    </section>
  )
}

/** Moves the focus from a comment about to be deleted to the next one, the previous one, or the heading. */
function passFocusOn(article: HTMLElement, heading: HTMLElement | null): void {
  if (!article.contains(document.activeElement)) return
  const next = [article.nextElementSibling, article.previousElementSibling].find((sibling) =>
    sibling?.matches('article'),
  )
  ;(next?.querySelector('a') ?? heading)?.focus()
}

/** Placeholder of the list. */
export function CommentsSkeleton() {
  return (
    <div data-skeleton="comments" aria-hidden="true">
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index} className={styles['skeleton']}>
          <Skeleton round />
          <div>
            <Skeleton />
            <Skeleton />
          </div>
        </div>
      ))}
    </div>
  )
}
