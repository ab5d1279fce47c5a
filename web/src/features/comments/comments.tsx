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
  authStatus,
  user,
  times,
  requireSession,
  onRefused,
}: {
  videoId: string
  isOwnVideo: boolean
  /** Null as long as it is not known who watches. */
  authStatus: boolean | null
  user: User | null
  times: TimeLinks
  requireSession: (act: () => void) => void
  /** Told of what the server refused, while the page that asked is still there. */
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
        {authStatus === false && (
          <p className={styles['invitation']}>
            <Link to={paths.login()}>Log in</Link> to leave a comment.
          </p>
        )}
        {user?.avatar && <CommentForm key={user._id} videoId={videoId} author={user} onRefused={onRefused} />}
      </div>
      {query.isPending && <CommentsSkeleton />}
      {query.isLoadingError && (
        // A failure is only logged, by specification; the way to another try is no message.
        <Button className={styles['retry']} onClick={() => void query.refetch()}>
          Load comments
        </Button>
      )}
      {isComplete && comments.length === 0 && <p className={styles['empty']}>No comments yet</p>}
      {comments.map((comment) => (
        <ErrorBoundary key={comment._id}>
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

/** Before a comment goes that has the focus: to the one below, or else above, or with none left to the heading. */
function passFocusOn(article: HTMLElement, heading: HTMLElement | null): void {
  if (!article.contains(document.activeElement)) return
  const next = [article.nextElementSibling, article.previousElementSibling].find((sibling) =>
    sibling?.matches('article'),
  )
  ;(next?.querySelector('a') ?? heading)?.focus()
}

/** The list before it is there. */
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
