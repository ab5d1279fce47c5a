import type { Video } from '@kinora/contract/videos.ts'
import { classNames } from '../../lib/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { VideoCard } from './video-card.tsx'
import cardStyles from './video-card.module.css'
import styles from './video-grid.module.css'

/** What stands above the fold on a wide screen. */
const EAGER_CARDS = 8

/** Videos in even columns; with `lead` the first one is a poster with a headline. */
export function VideoGrid({
  videos,
  lead = false,
  heading = 'h2',
}: {
  videos: readonly Video[]
  lead?: boolean
  heading?: 'h2' | 'h3'
}) {
  return (
    <div className={styles['grid']}>
      {videos.map((video, index) => (
        <VideoCard
          key={video._id}
          video={video}
          variant={lead && index === 0 ? 'lead' : 'card'}
          heading={heading}
          eager={index < EAGER_CARDS}
        />
      ))}
    </div>
  )
}

/** Videos one under the other, the still beside the words: search results, history. */
export function VideoRows({ videos }: { videos: readonly Video[] }) {
  return (
    <div className={styles['rows']}>
      {videos.map((video, index) => (
        <VideoCard key={video._id} video={video} variant="row" eager={index < EAGER_CARDS} />
      ))}
    </div>
  )
}

/** The grid before its videos are there, in the same geometry. */
export function VideoGridSkeleton({ count = 10, lead = false }: { count?: number; lead?: boolean }) {
  return (
    <div className={styles['grid']} role="status">
      <VisuallyHidden>Loading videos</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <CardSkeleton key={index} variant={lead && index === 0 ? 'lead' : 'card'} />
      ))}
    </div>
  )
}

/** The rows before their videos are there. */
export function VideoRowsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <div className={styles['rows']} role="status">
      <VisuallyHidden>Loading videos</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <CardSkeleton key={index} variant="row" />
      ))}
    </div>
  )
}

function CardSkeleton({ variant }: { variant: 'card' | 'lead' | 'row' }) {
  return (
    <div
      className={classNames(cardStyles['card'], cardStyles[variant])}
      data-skeleton="video-card"
      aria-hidden="true"
    >
      <div className={cardStyles['thumb']} />
      <div className={styles['words']}>
        <Skeleton width="92%" height={variant === 'lead' ? 28 : 16} />
        <Skeleton width="58%" height={variant === 'lead' ? 28 : 16} />
        <Skeleton width="36%" height={12} />
      </div>
    </div>
  )
}
