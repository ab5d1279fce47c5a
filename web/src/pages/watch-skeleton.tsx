import { Skeleton } from '../ui/skeleton.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './watch-page.module.css'

/** What stands under the player before its video is known, in the same geometry. */
export function WatchSkeleton() {
  return (
    <div data-skeleton="watch" role="status">
      <VisuallyHidden>Loading the video</VisuallyHidden>
      <div className={styles['title']}>
        <Skeleton width="64%" height="0.9lh" />
      </div>
      <div className={styles['row']}>
        <Skeleton round width={48} height={48} />
        <Skeleton width={150} height={38} />
        <Skeleton width={104} height={44} />
        <div className={styles['actions']}>
          <Skeleton width={158} height={44} />
          <Skeleton width={100} height={44} />
        </div>
      </div>
      <div className={styles['below']}>
        <div className={styles['lines']}>
          <Skeleton width="30%" height={14} />
          <Skeleton width="92%" height={16} />
          <Skeleton width="84%" height={16} />
          <Skeleton width="48%" height={16} />
        </div>
      </div>
    </div>
  )
}
