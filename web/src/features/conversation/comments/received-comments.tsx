import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import {
  approveComment,
  holdComment,
  type ReceivedComment,
  removeComment,
  restoreComment,
} from '@kinora/contract/conversation/comments.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { itemsOf } from '../../../lib/list-pages.ts'
import { commentKeys } from '../../../lib/watch-keys.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { RowActionResult } from '../../../ui/row-action-result.tsx'
import { ExpandableText } from '../../../ui/text/expandable-text.tsx'
import { receivedCommentsQuery } from './api.ts'
import styles from './received-comments.module.css'

const endpoints = {
  approve: { run: approveComment, undo: holdComment, done: () => t`The comment is published.` },
  hide: { run: holdComment, undo: approveComment, done: () => t`The comment waits for your approval.` },
  remove: { run: removeComment, undo: restoreComment, done: () => t`The comment is removed.` },
}

interface Decision {
  kind: keyof typeof endpoints
  comment: ReceivedComment
}

const placeOf = ({ comment: { _id, video } }: Decision) => ({
  params: { videoId: video._id, commentId: _id },
})

/** Comments on all videos of a channel, or of the own one: those that wait for approval first, then the others. */
export function ReceivedComments({ channel }: { channel?: string | undefined }) {
  const { list, start, isPending, ...result } = useRowAction<Decision>({
    run: (made) => call(endpoints[made.kind].run, placeOf(made)),
    undo: (made) => call(endpoints[made.kind].undo, placeOf(made)),
    done: ({ kind }) => endpoints[kind].done(),
    queryKey: commentKeys.all,
  })
  const lists = { channel, decide: start, isPending }
  return (
    <div ref={list} tabIndex={-1} className={styles['lists']}>
      <RowActionResult action={result} />
      <CommentList show="held" title={t`Waiting for your approval`} {...lists} />
      <CommentList show="published" title={t`Published`} {...lists} />
    </div>
  )
}

interface Decide {
  decide: (decision: Decision) => void
  isPending: boolean
}

function CommentList({
  channel,
  show,
  title,
  ...lists
}: Decide & {
  channel: string | undefined
  show: 'held' | 'published'
  title: string
}) {
  const id = useId()
  const [nowMs] = useState(() => Date.now())
  const query = useInfiniteQuery(receivedCommentsQuery(show, channel))
  const comments = itemsOf(query.data)
  // Nothing waits on most channels, which is worth no heading.
  if (show === 'held' && query.isSuccess && comments.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <PagedList
        query={query}
        items={comments}
        failure={t`Could not load the comments`}
        skeleton={<Skeleton width="100%" height={120} />}
        empty={<EmptyState title={t`No comments yet`} text={t`Comments on your videos appear here.`} />}
      >
        {(items) => (
          <ul className={styles['list']}>
            {items.map((comment) => (
              <li key={comment._id}>
                <Comment comment={comment} nowMs={nowMs} {...lists} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}

function Comment({
  comment,
  nowMs,
  decide,
  isPending,
}: Decide & { comment: ReceivedComment; nowMs: number }) {
  const { _id, content, createdAt, isHeld, parentId, video } = comment
  const { username, avatar } = comment.commentOwner
  const button = (kind: Decision['kind'], label: string) => (
    <Button
      disabled={isPending}
      aria-label={t`${label}: comment of ${username}`}
      onClick={() => decide({ kind, comment })}
    >
      {label}
    </Button>
  )
  return (
    <article className={styles['comment']} aria-label={t`Comment of ${username}`}>
      <Avatar src={avatar} name={username} size={40} lazy />
      <div className={styles['words']}>
        <p className={styles['facts']}>
          <Trans>
            <Link to={paths.channel(username)}>
              <bdi>@{username}</bdi>
            </Link>{' '}
            on{' '}
            <Link to={paths.comment(video._id, _id)} dir="auto">
              {video.title}
            </Link>{' '}
            · <time dateTime={createdAt}>{formatAge(createdAt, nowMs)}</time>
          </Trans>
          {parentId !== null && ` · ${t`Reply`}`}
        </p>
        <ExpandableText lines={4}>
          <span className={styles['text']} dir="auto">
            {content}
          </span>
        </ExpandableText>
      </div>
      <div className={styles['actions']}>
        {isHeld ? button('approve', t`Approve`) : button('hide', t`Hide`)}
        {button('remove', t`Remove`)}
      </div>
    </article>
  )
}
