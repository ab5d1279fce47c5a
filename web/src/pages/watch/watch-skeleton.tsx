import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { CommentFormSkeleton } from '../../features/conversation/comments/comment-form.tsx'
import { CommentsSkeleton } from '../../features/conversation/comments/comments.tsx'
import { RecommendationsSkeleton } from '../../features/videos/videos/recommended/recommendations.tsx'
import { preloadedTitle } from '../../lib/browser/preloaded-title.ts'
import { PreloadedImage } from '../../ui/preloaded-image.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import styles from './watch-page.module.css'

/** Placeholder below the player, with the geometry of the loaded page, and the title where it is known already. */
export function WatchSkeleton() {
  return (
    <div data-skeleton="watch" role="status">
      <VisuallyHidden>{t`Loading the video`}</VisuallyHidden>
      {typeof document === 'undefined' ? (
        // Rendered by the build: the server inserts the title.
        <div className={styles['title']} dir="auto" data-first-title="" />
      ) : (
        <div className={styles['title']} dir="auto">
          {preloadedTitle() ?? <Skeleton className={styles['title-bar']} />}
        </div>
      )}
      <div className={styles['row']}>
        <div className={styles['owner']}>
          <Skeleton round className={styles['face']} />
          <Skeleton className={styles['names']} />
        </div>
        <Skeleton className={styles['button']} />
        <div className={styles['actions']}>
          <Skeleton className={styles['likes']} />
          <Skeleton className={styles['button']} />
        </div>
      </div>
      <div className={styles['below']}>
        <div className={styles['lines']}>
          <Skeleton />
          <Skeleton />
          <Skeleton />
          <Skeleton />
        </div>
        <div>
          <Skeleton className={styles['heading']} />
          <CommentFormSkeleton />
          <CommentsSkeleton />
        </div>
      </div>
    </div>
  )
}

/** Placeholder of the whole page before scripts run, with the thumbnail in place of the player. */
export function WatchPageSkeleton() {
  return (
    <div className={styles['watch']}>
      <div className={clsx(styles['player'], styles['stage'])}>
        <PreloadedImage />
      </div>
      <div className={styles['info']}>
        <WatchSkeleton />
      </div>
      <div className={styles['aside']}>
        <div className={styles['beside']}>
          <RecommendationsSkeleton />
        </div>
      </div>
    </div>
  )
}
