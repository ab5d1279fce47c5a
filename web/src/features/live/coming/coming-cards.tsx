import { t } from '@lingui/core/macro'
import type { ComingVideo } from '@kinora/contract/live/coming.ts'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import { clsx } from 'clsx'
import { BellRing } from 'lucide-react'
import { Link } from 'react-router'
import { formatMoment } from '../../../lib/format/moment.ts'
import { useCover } from '../../../lib/sensitive.ts'
import { paths } from '../../../paths.ts'
import cards from '../../../ui/cards.module.css'
import covered from '../../../ui/covered.module.css'
import { Icon } from '../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './coming-cards.module.css'

/** A grid of streams and premieres that run or are announced. */
export function ComingCards({
  videos,
  heading: Heading = 'h2',
}: {
  videos: readonly ComingVideo[]
  heading?: 'h2' | 'h3' | 'h4'
}) {
  return (
    <ul className={cards['grid']}>
      {videos.map((video) => (
        <li key={video._id} className={cards['card']}>
          <Still video={video} />
          <Heading className={cards['title']}>
            <Link to={paths.watch(video._id)} dir="auto">
              {video.title}
            </Link>
          </Heading>
          <p className={cards['facts']}>
            <bdi>{video.videoOwner.fullname}</bdi>
          </p>
          <p className={styles['when']}>
            {video.isNow ? nameOf(video) : <When video={video} />}
            {video.isReminded && !video.isNow && (
              <span className={styles['reminded']}>
                <Icon of={BellRing} size={16} />
                <VisuallyHidden>{t`You will be reminded.`}</VisuallyHidden>
              </span>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}

const nameOf = ({ kind }: ComingVideo) => (kind === 'stream' ? t`Live stream` : t`Premiere`)

function When({ video }: { video: ComingVideo }) {
  return (
    <>
      {nameOf(video)} · <time dateTime={video.startsAt}>{formatMoment(video.startsAt)}</time>
    </>
  )
}

function Still({ video }: { video: ComingVideo }) {
  const [isCovered] = useCover(video)
  return (
    <div className={cards['still']}>
      <img
        className={clsx(isCovered && covered['covered'])}
        src={video.thumbnail}
        srcSet={pictureSrcSet(video.thumbnail, 'thumbnail')}
        sizes="(min-width: 640px) 320px, 96vw"
        width={640}
        height={360}
        alt=""
        loading="lazy"
        decoding="async"
      />
      {video.isNow && <span className={styles['mark']} data-live>{t`Live`}</span>}
    </div>
  )
}
