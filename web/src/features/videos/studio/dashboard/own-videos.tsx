import { plural, t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatFullCount } from '../../../../lib/format/counts.ts'
import { formatDuration } from '../../../../lib/format/duration.ts'
import { formatPublishedDay } from '../../../../lib/format/published-day.ts'
import { isPublic } from '../../../../lib/is-public.ts'
import { overPage } from '../../../../lib/browser/use-close-modal.ts'
import { paths } from '../../../../paths.ts'
import { iconButtonClass } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { useReprocess } from './api.ts'
import { VisibilityBadge } from '../visibility-badge.tsx'
import styles from './own-videos.module.css'
import { ProcessingState } from './processing-state.tsx'
import { ErrorBoundary } from '../../../../ui/feedback/error-boundary.tsx'
import { Thumbnail } from '../../../../ui/thumbnail.tsx'

/** Videos of the signed-in user with their statistics and links to edit and delete them. */
export function OwnVideos({ videos, username }: { videos: readonly Video[]; username: string }) {
  const [nowMs] = useState(() => Date.now())
  return (
    <>
      <ColumnHeadings />
      <ul>
        {videos.map((video) => (
          <li key={video._id}>
            <ErrorBoundary fallback={t`This video cannot be displayed.`}>
              <OwnVideo video={video} username={username} nowMs={nowMs} />
            </ErrorBoundary>
          </li>
        ))}
      </ul>
    </>
  )
}

function ColumnHeadings() {
  return (
    <div className={styles['columns']} aria-hidden="true">
      <span className={styles['title-column']}>{t`Title`}</span>
      <span className={styles['day']}>{t`Published`}</span>
      <span className={styles['count']}>{t`Views`}</span>
      <span className={styles['count']}>{t`Likes`}</span>
    </div>
  )
}

function OwnVideo({ video, username, nowMs }: { video: Video; username: string; nowMs: number }) {
  const reprocess = useReprocess()
  return (
    <article className={styles['row']}>
      <Link className={styles['thumbnail']} to={paths.watch(video._id)} tabIndex={-1} aria-hidden="true">
        <Thumbnail src={video.thumbnail} sizes="144px" />
        <span className={styles['duration']}>{formatDuration(video.duration)}</span>
      </Link>
      <div className={styles['text']}>
        <h3>
          <Link to={paths.watch(video._id)} dir="auto">
            {video.title}
          </Link>
        </h3>
        <p className={styles['description']} dir="auto">
          {video.description}
        </p>
        {!isPublic(video) && video.processing.state !== 'taken_down' && (
          <p className={styles['visibility']}>
            <VisibilityBadge video={video} />
          </p>
        )}
        <ProcessingState
          title={video.title}
          processing={video.processing}
          onRetry={() => reprocess.mutate(video._id)}
        />
      </div>
      <time className={styles['day']} dateTime={video.createdAt}>
        {formatPublishedDay(video.createdAt, nowMs)}
      </time>
      <div className={styles['counts']}>
        <Count count={video.views} noun={plural(video.views, { one: 'view', other: 'views' })} />
        <Count count={video.totalLikes} noun={plural(video.totalLikes, { one: 'like', other: 'likes' })} />
      </div>
      <div className={styles['actions']}>
        <Link
          className={iconButtonClass()}
          to={paths.editVideo(username, video._id)}
          state={overPage}
          preventScrollReset
          aria-label={t`Details of ${video.title}`}
        >
          <Icon of={Pencil} />
        </Link>
        <Link
          className={iconButtonClass()}
          to={paths.deleteVideo(username, video._id)}
          state={overPage}
          preventScrollReset
          aria-label={t`Delete ${video.title}`}
        >
          <Icon of={Trash2} />
        </Link>
      </div>
    </article>
  )
}

/** A number; the noun is shown without columns and read by screen readers. */
function Count({ count, noun }: { count: number; noun: string }) {
  return (
    <p className={styles['count']}>
      {formatFullCount(count)} <span className={styles['noun']}>{noun}</span>
    </p>
  )
}

export function OwnVideosSkeleton() {
  return (
    <div role="status">
      <VisuallyHidden>{t`Loading your videos`}</VisuallyHidden>
      <ColumnHeadings />
      <ul aria-hidden="true">
        {[220, 300, 180, 260, 240].map((width) => (
          <li key={width} className={styles['row']}>
            <Skeleton className={styles['thumbnail']} />
            <div className={styles['bars']}>
              <Skeleton width={width} height={16} />
              <Skeleton className={styles['description']} width="60%" height={12} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
