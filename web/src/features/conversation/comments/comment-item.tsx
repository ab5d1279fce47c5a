import { t } from '@lingui/core/macro'
import { type Comment, deleteComment, removeComment } from '@kinora/contract/conversation/comments.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { useQuery } from '@tanstack/react-query'
import {
  Check,
  EyeOff,
  Flag,
  Heart,
  Hourglass,
  Link2,
  Pencil,
  Pin,
  ThumbsDown,
  ThumbsUp,
  Trash2,
} from 'lucide-react'
import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense, useContext, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useScrollIntoView } from '../../../lib/browser/use-scroll-into-view.ts'
import { formatAge } from '../../../lib/format/age.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import type { LoginWish } from '../../../lib/login-reason.ts'
import { MuteContext } from '../../../lib/mute-context.ts'
import { ReportContext } from '../../../lib/report-context.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { ExpandableText } from '../../../ui/text/expandable-text.tsx'
import { NotSaved, notSavedTitle } from '../../../ui/feedback/not-saved.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type TimeLinks, LinkifiedText } from '../../../ui/text/linkified-text.tsx'
import {
  commentLikedQuery,
  optionalFieldsOf,
  useCommentChanges,
  useCommentLikes,
  useDeleteComment,
} from './api.ts'
import styles from './comment-item.module.css'
import { MoreActions } from '../../../ui/more-actions.tsx'

const TextForm = lazy(async () => ({ default: (await import('./text-form.tsx')).TextForm }))

export type CommentItemProps = {
  comment: Comment
  videoId: string
  /** The owner of the video. */
  ownerId: string | undefined
  /** Whether the signed-in user owns the video and may delete comments of others. */
  isOwnVideo: boolean
  /** Whether replies can be added. */
  areAllowed: boolean
  /** The signed-in user, or null for a visitor. */
  user: User | null
  times: TimeLinks
  /** Whether the address names it. */
  isLinked?: boolean
  /** Runs an action if signed in, otherwise opens the login page. */
  requireSession: (act: () => void, wish: LoginWish) => void
  onRefused: (error: unknown) => void
  /** Called before the comment is removed from the page. */
  onDeleted: (comment: Comment, element: HTMLElement) => void
  /** Called before the comment moves to another place of the page. */
  onMoved: (element: HTMLElement) => void
}

/** A comment or a reply with its actions. `children` are shown below it. */
export function CommentItem({
  comment,
  videoId,
  ownerId,
  isOwnVideo,
  areAllowed,
  user,
  times,
  isLinked = false,
  requireSession,
  onRefused,
  onDeleted,
  onMoved,
  onReplied,
  children,
}: CommentItemProps & { onReplied?: () => void; children?: ReactNode }) {
  const element = useRef<HTMLElement>(null)
  const replyButton = useRef<HTMLButtonElement>(null)
  const moreButton = useRef<HTMLButtonElement>(null)
  const authorId = useId()
  const report = useContext(ReportContext)
  const mute = useContext(MuteContext)
  const [nowMs] = useState(() => Date.now())
  const [form, setForm] = useState<'reply' | 'edit'>()
  const likes = useCommentLikes(videoId, comment._id, onRefused)
  const changes = useCommentChanges(videoId, onRefused)
  const { commentOwner: author } = comment
  const isOwn = user?._id === author._id
  const deletion = useDeleteComment(isOwn ? deleteComment : removeComment, videoId, comment._id, {
    onDeleted: () => element.current && onDeleted(comment, element.current),
    onRefused,
  })
  const isOwner = isOwnVideo && user !== null
  const mayRemove = isOwner && !isOwn
  const includedLike: boolean | undefined = comment.liked
  const likedState = useQuery({
    ...commentLikedQuery(videoId, comment._id),
    enabled: user !== null && includedLike === undefined,
  })
  const isLiked = user !== null && (includedLike ?? likedState.data?.liked ?? false)
  const { parentId, mentions, editedAt, isPinned, isHearted, isHeld } = optionalFieldsOf(comment)
  const isReply = parentId !== null
  const content = (
    <ExpandableText lines={8} className={styles['content']}>
      <LinkifiedText
        text={comment.content}
        times={times}
        moved={comment.movedTimes}
        mentionLink={mentionLinkOf(mentions)}
      />
    </ExpandableText>
  )
  const moveFocusNear = () => element.current && onMoved(element.current)
  useScrollIntoView(element, isLinked)
  const Element = isReply ? 'div' : 'article'

  function closeForm() {
    // Returns the focus to the button that opened the form, unless it moved elsewhere.
    const hasFocus = element.current?.contains(document.activeElement)
    if (hasFocus) (form === 'reply' ? replyButton : moreButton).current?.focus()
    setForm(undefined)
  }

  return (
    <Element
      ref={(shown: HTMLElement | null) => void (element.current = shown)}
      className={clsx(styles['comment'], isReply && styles['reply'], isLinked && styles['linked'])}
    >
      <Avatar src={author.avatar} name={author.username} size={isReply ? 28 : 40} />
      <div className={styles['body']}>
        {isPinned && (
          <p className={styles['pinned']}>
            <Icon of={Pin} size={14} /> {t`Pinned by the creator`}
          </p>
        )}
        <p className={styles['author']} id={authorId}>
          <Link to={paths.channel(author.username)}>
            <bdi>@{author.username}</bdi>
          </Link>
          {author._id === ownerId && <span className={styles['creator']}>{t`Creator`}</span>}
          <span>
            {formatAge(comment.createdAt, nowMs)}
            {editedAt && t` (edited)`}
          </span>
        </p>
        {form === 'edit' ? (
          <Suspense fallback={content}>
            <TextForm
              videoId={videoId}
              label={t`Edit your text`}
              initialText={comment.content}
              draftKey={`edit.${user?._id}.${comment._id}`}
              action={t`Save changes`}
              onSend={(text) => changes.edit(comment._id, text)}
              onClose={closeForm}
            />
          </Suspense>
        ) : (
          content
        )}
        <div className={styles['actions']}>
          {isHeld ? (
            <p className={styles['held']}>{isOwner ? t`Waits for your approval` : t`Waits for approval`}</p>
          ) : (
            <>
              <IconButton
                label={isReply ? t`Upvote reply` : t`Like comment`}
                aria-pressed={isLiked}
                title={notSavedTitle(likes.hasLikeFailed)}
                onClick={() => requireSession(likes.like, 'like-comment')}
              >
                <Icon of={ThumbsUp} size={18} />
              </IconButton>
              <span className={styles['count']}>{formatFullCount(comment.likes)}</span>
              {!isReply && (
                <IconButton
                  label={t`Dislike comment`}
                  title={notSavedTitle(likes.hasDislikeFailed)}
                  onClick={() => requireSession(likes.dislike, 'like-comment')}
                >
                  <Icon of={ThumbsDown} size={18} />
                </IconButton>
              )}
              {isHearted && (
                <span
                  className={styles['heart']}
                  role="img"
                  aria-label={t`Heart from the creator`}
                  title={t`Heart from the creator`}
                >
                  <Icon of={Heart} size={16} isFilled />
                </span>
              )}
              {areAllowed && (
                <Button
                  ref={replyButton}
                  variant="bare"
                  aria-describedby={authorId}
                  onClick={() => requireSession(() => setForm('reply'), 'comment')}
                >{t`Reply`}</Button>
              )}
            </>
          )}
          <NotSaved hasFailed={likes.hasLikeFailed || likes.hasDislikeFailed || deletion.hasFailed} />
          <div className={styles['end']}>
            {isHeld && isOwner && (
              <Button
                variant="bare"
                aria-describedby={authorId}
                onClick={() => changes.approve(comment._id, moveFocusNear)}
              >
                <Icon of={Check} size={18} />
                {t`Approve`}
              </Button>
            )}
            {isOwn && (
              <IconButton
                label={isReply ? t`Remove reply` : t`Delete comment`}
                title={notSavedTitle(deletion.hasFailed)}
                onClick={deletion.remove}
              >
                <Icon of={Trash2} size={18} />
              </IconButton>
            )}
            {mayRemove && (
              <IconButton
                label={t`Remove from my video`}
                title={notSavedTitle(deletion.hasFailed)}
                onClick={deletion.remove}
              >
                <Icon of={Trash2} size={18} />
              </IconButton>
            )}
            <MoreActions ref={moreButton}>
              {isOwn && (
                <button type="button" onClick={() => setForm('edit')}>
                  <Icon of={Pencil} size={18} /> {t`Edit`}
                </button>
              )}
              {isOwner && !isReply && !isHeld && (
                <button type="button" onClick={() => changes.mark(comment._id, { isPinned: !isPinned })}>
                  <Icon of={Pin} size={18} /> {isPinned ? t`Unpin` : t`Pin to the top`}
                </button>
              )}
              {isOwner && !isHeld && (
                <button type="button" onClick={() => changes.mark(comment._id, { isHearted: !isHearted })}>
                  <Icon of={Heart} size={18} /> {isHearted ? t`Remove heart` : t`Add heart`}
                </button>
              )}
              {mayRemove && !isHeld && (
                <button type="button" onClick={() => changes.hold(comment._id, moveFocusNear)}>
                  <Icon of={Hourglass} size={18} /> {t`Hide until approved`}
                </button>
              )}
              {report && !isOwn && (
                <button type="button" onClick={() => report({ kind: 'comment', subjectId: comment._id })}>
                  <Icon of={Flag} size={18} /> {t`Report`}
                </button>
              )}
              {mute && !isOwn && (
                <button type="button" onClick={() => mute(author.username)}>
                  <Icon of={EyeOff} size={18} /> {t`Mute or block`}
                </button>
              )}
              <Link to={paths.comment(videoId, comment._id)} preventScrollReset>
                <Icon of={Link2} size={18} /> {t`Copy link`}
              </Link>
            </MoreActions>
          </div>
        </div>
        {changes.failure && <Alert>{changes.failure}</Alert>}
        {form === 'reply' && (
          <Suspense fallback={null}>
            <TextForm
              videoId={videoId}
              label={t`Your reply`}
              initialText={isReply ? `@${author.username} ` : ''}
              draftKey={`reply.${user?._id}.${comment._id}`}
              action={t`Reply`}
              onSend={async (text) => {
                await changes.reply(comment._id, text)
                onReplied?.()
              }}
              onClose={closeForm}
            />
          </Suspense>
        )}
        {children}
      </div>
    </Element>
  )
}

/** Renders the @names of accounts as links to their channels. */
const mentionLinkOf = (usernames: string[]) => (name: string, text: string) =>
  usernames.some((one) => one.toLowerCase() === name) ? <Link to={paths.channel(name)}>{text}</Link> : text
