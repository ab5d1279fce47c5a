import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Comment, CommentSort } from '@kinora/contract/conversation/comments.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { itemsOf } from '../../../lib/list-pages.ts'
import type { LoginWish } from '../../../lib/login-reason.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { ErrorBoundary } from '../../../ui/feedback/error-boundary.tsx'
import { LoadMore } from '../../../ui/feedback/load-more.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import type { TimeLinks } from '../../../ui/text/linkified-text.tsx'
import {
  commentsQuery,
  heldCommentsQuery,
  linkedCommentQuery,
  pinnedCommentQuery,
  useCommentChanges,
} from './api.ts'
import { CommentForm } from './comment-form.tsx'
import type { CommentItemProps } from './comment-item.tsx'
import { CommentThread } from './comment-thread.tsx'
import styles from './comments.module.css'
import { isNotFound } from '../../../lib/is-not-found.ts'

/** Comments of a video and the form to add one. */
export function Comments({
  videoId,
  ownerId,
  isOwnVideo,
  areAllowed,
  linkedId,
  authStatus,
  user,
  times,
  requireSession,
  loginState,
  onRefused,
}: {
  videoId: string
  /** The owner of the video. */
  ownerId: string | undefined
  isOwnVideo: boolean
  /** False where the owner has turned comments off; existing ones stay. */
  areAllowed: boolean
  /** The comment that the address names. */
  linkedId: string | null
  /** Null until the session check finishes. */
  authStatus: boolean | null
  user: User | null
  times: TimeLinks
  requireSession: (act: () => void, wish: LoginWish) => void
  /** History state of the login page. */
  loginState: object
  /** Called for rejected requests while the page is still open. */
  onRefused: (error: unknown) => void
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [sort, setSort] = useState<CommentSort>('newest')
  const query = useInfiniteQuery({ ...commentsQuery(videoId, sort), placeholderData: keepPreviousData })
  const comments = itemsOf(query.data)
  const pinned = useQuery({ ...pinnedCommentQuery(videoId), enabled: comments.length > 0 }).data?.[0]
  const linkedQuery = useQuery({ ...linkedCommentQuery(videoId, linkedId ?? ''), enabled: linkedId !== null })
  const [linked, linkedReply] = (linkedQuery.isError ? undefined : linkedQuery.data) ?? []
  // A rule of the site or of the channel can hold a comment on any video.
  const held = useInfiniteQuery({ ...heldCommentsQuery(videoId), enabled: user !== null })
  const [deleted, setDeleted] = useState<readonly Comment[]>([])
  const isComplete = query.data !== undefined && !query.hasNextPage
  const first = [linked, linked?._id === pinned?._id ? undefined : pinned].filter((one) => one !== undefined)
  const rest = comments.filter(({ _id }) => first.every((one) => one._id !== _id))
  const waiting = itemsOf(held.data).filter(({ _id }) => _id !== linked?._id)
  const shared: Omit<CommentItemProps, 'comment'> = {
    videoId,
    ownerId,
    isOwnVideo,
    areAllowed,
    user,
    times,
    requireSession,
    onRefused,
    onDeleted(comment, element) {
      moveFocusNear(element, heading.current)
      setDeleted((before) => [...before, comment])
    },
    onMoved: (element) => moveFocusNear(element, heading.current),
  }
  const toThread = (comment: Comment) => (
    <ErrorBoundary key={comment._id} fallback={t`This comment cannot be displayed.`}>
      <CommentThread
        {...shared}
        comment={comment}
        isLinked={comment === linked && !linkedReply}
        linkedReply={comment === linked ? linkedReply : undefined}
      />
    </ErrorBoundary>
  )
  return (
    <section className={styles['comments']} aria-label={t`Comments`}>
      <div className={styles['top']}>
        <h2 ref={heading} tabIndex={-1}>
          {t`Comments`} {isComplete && comments.length > 0 && <small>{comments.length}</small>}
        </h2>
        {comments.length > 1 && (
          <select
            className={styles['sort']}
            aria-label={t`Sort by`}
            value={sort}
            onChange={(event) => setSort(event.target.value === 'top' ? 'top' : 'newest')}
          >
            <option value="newest">{t`Newest first`}</option>
            <option value="top">{t`Top first`}</option>
          </select>
        )}
      </div>
      <div className={styles['entry']}>
        {!areAllowed && <p className={styles['invitation']}>{t`Comments are turned off.`}</p>}
        {areAllowed && authStatus === false && (
          <p className={styles['invitation']}>
            <Trans>
              <Link to={paths.login()} state={loginState}>
                Log in
              </Link>{' '}
              to leave a comment.
            </Trans>
          </p>
        )}
        {areAllowed && user?.avatar && (
          <CommentForm key={user._id} videoId={videoId} author={user} onRefused={onRefused} />
        )}
      </div>
      {query.isPending && <CommentsSkeleton />}
      {query.isLoadingError && (
        // By specification a failure is only logged; a button to retry is not a message.
        <Button className={styles['retry']} onClick={() => void query.refetch()}>{t`Load comments`}</Button>
      )}
      {isComplete && comments.length === 0 && <p className={styles['empty']}>{t`No comments yet`}</p>}
      {linkedQuery.isError && (
        <p className={styles['empty']} role="status">{t`The linked comment is not available any more.`}</p>
      )}
      {waiting.map(toThread)}
      {first.map(toThread)}
      {rest.map(toThread)}
      <LoadMore query={query} />
      <DeletedComments
        videoId={videoId}
        comments={deleted}
        onRestored={({ _id }) => {
          setDeleted((before) => before.filter((one) => one._id !== _id))
          heading.current?.focus({ preventScroll: true })
        }}
        onRefused={onRefused}
      />
    </section>
  )
}

/** Says what was deleted, and takes the last deletion back; then the one before it. */
function DeletedComments({
  videoId,
  comments,
  onRestored,
  onRefused,
}: {
  videoId: string
  comments: readonly Comment[]
  /** Called for a comment that is back, or cannot come back any more. */
  onRestored: (comment: Comment) => void
  onRefused: (error: unknown) => void
}) {
  const { restore, failure, isChanging } = useCommentChanges(videoId, onRefused)
  const last = comments.at(-1)
  function undo() {
    if (!last || isChanging) return
    restore(last._id, (error) => {
      const isOver = isNotFound(error)
      if (!error || isOver) onRestored(last)
    })
  }
  return (
    <div className={styles['deleted']} aria-live="polite">
      {failure && <Alert>{failure}</Alert>}
      {last && (
        <p>
          {comments.length > 1
            ? plural(comments.length, { one: '# comment was deleted.', other: '# comments were deleted.' })
            : last.parentId
              ? t`The reply was deleted.`
              : t`The comment was deleted.`}
          <Button variant="bare" onClick={undo}>{t`Undo`}</Button>
        </p>
      )}
    </div>
  )
}

/**
 * Moves the focus from a comment about to be deleted to the next one, the previous one, or the heading; from a reply to
 * another one, or to the comment above.
 */
function moveFocusNear(element: HTMLElement, heading: HTMLElement | null): void {
  if (!element.contains(document.activeElement)) return
  const entry = element.closest('li') ?? element
  const next = [
    entry.nextElementSibling,
    entry.previousElementSibling,
    entry.parentElement?.closest('article'),
  ].find((each) => each?.matches('article, li'))
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
