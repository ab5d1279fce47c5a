import { t } from '@lingui/core/macro'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { NotSaved, notSavedTitle } from '../../../ui/feedback/not-saved.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './like-buttons.module.css'

/** Like button, its count, and the dislike button, which only removes a like. */
export function LikeButtons({
  isLiked,
  count,
  hasFailed = false,
  onLike,
  onDislike,
}: {
  isLiked: boolean
  count: number
  /** Whether the last change was not saved. */
  hasFailed?: boolean
  onLike: () => void
  onDislike: () => void
}) {
  return (
    <div className={styles['pair']}>
      <button
        type="button"
        aria-label={t`Like`}
        aria-pressed={isLiked}
        title={notSavedTitle(hasFailed)}
        onClick={onLike}
      >
        <Icon of={ThumbsUp} />
      </button>
      <span className={styles['count']} data-count="likes">
        {formatFullCount(count)}
      </span>
      <NotSaved hasFailed={hasFailed} />
      <button type="button" aria-label={t`Dislike`} onClick={onDislike}>
        <Icon of={ThumbsDown} />
      </button>
    </div>
  )
}
