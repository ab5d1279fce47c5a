import type { Comment } from '@kinora/contract/comments.ts'
import { deleteComment, removeComment } from '@kinora/contract/calls.ts'
import type { User } from '@kinora/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../lib/format/age.ts'
import { formatFullCount } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ExpandableText } from '../../ui/text/expandable-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type TimeLinks, LinkifiedText } from '../../ui/text/linkified-text.tsx'
import { commentLikedQuery, useCommentLikes, useDeleteComment } from './api.ts'
import styles from './comment-item.module.css'

/** A comment with its actions. */
export function CommentItem({
  comment,
  videoId,
  isOwnVideo,
  user,
  times,
  requireSession,
  onRefused,
  onDeleted,
}: {
  comment: Comment
  videoId: string
  /** Whether the signed-in user owns the video and may delete comments of others. */
  isOwnVideo: boolean
  /** The signed-in user, or null for a visitor. */
  user: User | null
  times: TimeLinks
  /** Runs an action if signed in, otherwise opens the login page. */
  requireSession: (act: () => void) => void
  onRefused: (error: unknown) => void
  /** Called before the comment is removed from the page. */
  onDeleted: (article: HTMLElement) => void
}) {
  const article = useRef<HTMLElement>(null)
  const [nowMs] = useState(() => Date.now())
  const likes = useCommentLikes(videoId, comment._id, onRefused)
  const isOwn = user?._id === comment.commentOwner._id
  const remove = useDeleteComment(isOwn ? deleteComment : removeComment, videoId, comment._id, {
    onDeleted: () => article.current && onDeleted(article.current),
    onRefused,
  })
  const { commentOwner: author } = comment
  const mayRemove = isOwnVideo && user !== null && !isOwn
  const includedLike: boolean | undefined = comment.liked
  const likedState = useQuery({
    ...commentLikedQuery(videoId, comment._id),
    enabled: user !== null && includedLike === undefined,
  })
  const isLiked = user !== null && (includedLike ?? likedState.data?.liked ?? false)
  return (
    <article ref={article} className={styles['comment']}>
      <Avatar src={author.avatar} name={author.username} />
      <div className={styles['body']}>
        <p className={styles['author']}>
          <Link to={paths.channel(author.username)}>@{author.username}</Link>
          <span>{formatAge(comment.createdAt, nowMs)}</span>
        </p>
        <ExpandableText lines={8} className={styles['content']}>
          <LinkifiedText text={comment.content} times={times} />
        </ExpandableText>
        <div className={styles['actions']}>
          <IconButton label="Like comment" aria-pressed={isLiked} onClick={() => requireSession(likes.like)}>
            <Icon of={ThumbsUp} size={18} />
          </IconButton>
          <span className={styles['count']}>{formatFullCount(comment.likes)}</span>
          <IconButton label="Dislike comment" onClick={() => requireSession(likes.dislike)}>
            <Icon of={ThumbsDown} size={18} />
          </IconButton>
          {isOwn && (
            <IconButton className={styles['delete']} label="Delete comment" onClick={remove}>
              <Icon of={Trash2} size={18} />
            </IconButton>
          )}
          {mayRemove && (
            <IconButton className={styles['delete']} label="Remove from my video" onClick={remove}>
              <Icon of={Trash2} size={18} />
            </IconButton>
          )}
        </div>
      </div>
    </article>
  )
}
