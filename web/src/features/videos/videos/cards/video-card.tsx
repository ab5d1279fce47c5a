import { t } from '@lingui/core/macro'
import { cardThumbnailSizes, leadThumbnailSizes, pictureSrcSet } from '@kinora/contract/pictures.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { clsx } from 'clsx'
import { Check, UserRound } from 'lucide-react'
import { type ReactNode, Suspense, useContext, useId, useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { viewsOf } from '../../../../lib/format/counts.ts'
import { formatDuration } from '../../../../lib/format/duration.ts'
import { paths } from '../../../../paths.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { CardCover } from '../covers/covers.ts'
import { isRunning } from '../../../../lib/premiere.ts'
import { useCover } from '../../../../lib/sensitive.ts'
import covered from '../../../../ui/covered.module.css'
import { ProgressContext } from './progress-context.ts'
import { SaveVideoContext } from '../../../../lib/save-video-context.ts'
import { useStoryboardScrub } from './use-storyboard-scrub.tsx'
import styles from './video-card.module.css'
import { VideoMenu } from './video-menu.tsx'

/**
 * `card` is for grids, `lead` the large first one of the home page, `row` a search result or a history entry, `compact`
 * a recommendation.
 */
export type VideoCardVariant = 'card' | 'lead' | 'row' | 'compact'

const SIZES: Record<VideoCardVariant, string> = {
  card: cardThumbnailSizes,
  lead: leadThumbnailSizes,
  row: '(min-width: 640px) 260px, 44vw',
  compact: '(min-width: 1800px) 12vw, (min-width: 1024px) 168px, 44vw',
}

/** A video in a list: still, duration, title, owner, views and age. Its title is the link; the still is for pointers. */
export function VideoCard({
  video,
  variant = 'card',
  heading: Heading = 'h2',
  eager = false,
  badge,
  actions,
}: {
  video: Video
  variant?: VideoCardVariant
  heading?: 'h2' | 'h3'
  /** Loads the thumbnail immediately instead of near the viewport, for the first rows. */
  eager?: boolean
  /** Says who can see it. */
  badge?: ReactNode
  /** Entries of its menu, which members have, before those of every card. */
  actions?: ReactNode
}) {
  const [nowMs] = useState(() => Date.now())
  const [isCovered, show] = useCover(video)
  const scrub = useStoryboardScrub(isCovered ? null : video.storyboardUrl)
  const hasMenu = useContext(SaveVideoContext) !== null
  const titleId = useId()
  const progress = useContext(ProgressContext)
  // a live stream has no end that a viewer could be near
  const watchedSeconds = video.isLive ? undefined : progress.get(video._id)
  const { videoOwner: owner } = video
  return (
    <article className={clsx(styles['card'], styles[variant])}>
      <div className={styles['thumb']} {...scrub.thumb}>
        <Link to={paths.watch(video._id)} tabIndex={-1} aria-hidden="true">
          <img
            className={clsx(isCovered && covered['covered'])}
            src={video.thumbnail}
            srcSet={pictureSrcSet(video.thumbnail, 'thumbnail')}
            sizes={SIZES[variant]}
            width={640}
            height={360}
            alt=""
            decoding="async"
            loading={eager ? 'eager' : 'lazy'}
            fetchPriority={variant === 'lead' ? 'high' : 'auto'}
          />
        </Link>
        {scrub.preview}
        {isCovered && (
          <Suspense>
            <CardCover video={video} describedBy={titleId} onShow={show} />
          </Suspense>
        )}
        <span className={styles['duration']} data-live={video.isLive}>
          {isRunning(video, nowMs) && `${t`Premiere`} · `}
          {video.isLive ? t`Live` : formatDuration(video.duration)}
        </span>
        {watchedSeconds !== undefined && video.duration > 0 && (
          <progress
            className={styles['progress']}
            aria-label={watchedSeconds < video.duration ? t`Watched so far` : t`Watched to the end`}
            max={video.duration}
            value={Math.min(watchedSeconds, video.duration)}
          />
        )}
        {watchedSeconds === Infinity && (
          <span className={styles['finished']} aria-hidden="true">
            <Icon of={Check} size={14} />
            {t`Watched`}
          </span>
        )}
      </div>
      <div className={styles['text']}>
        <Heading className={styles['title']} id={titleId}>
          <Link to={paths.watch(video._id)} dir="auto" {...scrub.title}>
            {video.title}
          </Link>
        </Heading>
        {hasMenu && (
          <VideoMenu video={video} describedBy={titleId} className={styles['menu']}>
            {actions}
            <Link to={paths.channel(owner.username)}>
              <Icon of={UserRound} size={18} />
              {owner.fullname}
            </Link>
          </VideoMenu>
        )}
        <div className={styles['facts']}>
          <p className={styles['owner']}>
            {/* The menu has it, too: two tab stops for each card. */}
            <Link to={paths.channel(owner.username)} tabIndex={hasMenu ? -1 : undefined}>
              {owner.fullname}
            </Link>
          </p>
          <p className={styles['meta']}>
            <span>{viewsOf(video.views)}</span> {/* the dot stays with the age where the line breaks */}
            <span>
              · <span>{formatAge(video.createdAt, nowMs)}</span>
            </span>
          </p>
          {badge}
        </div>
        {(variant === 'lead' || variant === 'row') && (
          <p className={styles['description']} dir="auto">
            {video.description}
          </p>
        )}
      </div>
    </article>
  )
}
