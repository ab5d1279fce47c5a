import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { clsx } from 'clsx'
import { type ReactNode, useDeferredValue } from 'react'
import { ErrorBoundary } from '../../../../ui/feedback/error-boundary.tsx'
import { PreloadedImage } from '../../../../ui/preloaded-image.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { VideoCard } from './video-card.tsx'
import cardStyles from './video-card.module.css'
import styles from './video-grid.module.css'

/** Cards above the fold on a wide screen. */
const EAGER_CARDS = 8

/** More than a screenful, few enough to render at once; a phone shows two and is slow. */
const firstCards = () => (innerWidth < 640 ? 6 : 24)

/**
 * A grid of videos; with `lead` the first one is a poster with a headline. The first screens render first, the others
 * when the browser is idle, unless they are `known`: then a scroll position further down is restored.
 */
export function VideoGrid({
  videos,
  lead = false,
  isComplete = false,
  heading = 'h2',
  badgeOf,
}: {
  videos: readonly Video[]
  lead?: boolean
  isComplete?: boolean
  heading?: 'h2' | 'h3'
  badgeOf?: ((video: Video) => ReactNode) | undefined
}) {
  const shown = useDeferredValue(videos, isComplete ? videos : videos.slice(0, firstCards()))
  return (
    <div className={styles['grid']}>
      {shown.map((video, index) => (
        <ErrorBoundary key={video._id} fallback={t`This video cannot be displayed.`}>
          <VideoCard
            video={video}
            variant={lead && index === 0 ? 'lead' : 'card'}
            heading={heading}
            eager={index < EAGER_CARDS}
            badge={badgeOf?.(video)}
          />
        </ErrorBoundary>
      ))}
    </div>
  )
}

/** Videos in rows with the thumbnail at the side: search results, history. */
export function VideoRows({ videos }: { videos: readonly Video[] }) {
  return (
    <div className={styles['rows']}>
      {videos.map((video, index) => (
        <ErrorBoundary key={video._id} fallback={t`This video cannot be displayed.`}>
          <VideoCard video={video} variant="row" eager={index < EAGER_CARDS} />
        </ErrorBoundary>
      ))}
    </div>
  )
}

/** The grid before its videos are there, in the same geometry; the first still is the one that the page announces. */
export function VideoGridSkeleton({ count = 10, lead = false }: { count?: number; lead?: boolean }) {
  return (
    <div className={styles['grid']} role="status">
      <VisuallyHidden>{t`Loading videos`}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <CardSkeleton
          key={index}
          variant={lead && index === 0 ? 'lead' : 'card'}
          thumbnail={index === 0 && <PreloadedImage />}
        />
      ))}
    </div>
  )
}

/** The rows before their videos are there. */
export function VideoRowsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <div className={styles['rows']} role="status">
      <VisuallyHidden>{t`Loading videos`}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <CardSkeleton key={index} variant="row" />
      ))}
    </div>
  )
}

function CardSkeleton({ variant, thumbnail }: { variant: 'card' | 'lead' | 'row'; thumbnail?: ReactNode }) {
  return (
    <div
      className={clsx(cardStyles['card'], cardStyles[variant])}
      data-skeleton="video-card"
      aria-hidden="true"
    >
      <div className={cardStyles['thumb']}>{thumbnail}</div>
      <div className={clsx(styles['text'], variant === 'lead' && styles['lead'])}>
        <Skeleton className={styles['line']} />
        <Skeleton className={styles['rest']} />
        <Skeleton className={styles['name']} />
      </div>
    </div>
  )
}
