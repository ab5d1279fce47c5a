import { t } from '@lingui/core/macro'
import type { LockedVideo } from '@kinora/contract/videos/share-links.ts'
import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import cards from '../../../ui/cards.module.css'
import { Icon } from '../../../ui/icon.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import styles from './locked-cards.module.css'

/** A grid of videos that open with a password. */
export function LockedCards({
  videos,
  heading: Heading = 'h2',
}: {
  videos: readonly LockedVideo[]
  heading?: 'h2' | 'h3'
}) {
  return (
    <ul className={cards['grid']}>
      {videos.map((video) => (
        <li key={video._id} className={cards['card']}>
          <LockedStill video={video} />
          <Heading className={cards['title']}>
            <Link to={paths.locked(video._id)} dir="auto">
              {video.title}
            </Link>
          </Heading>
          <p className={cards['facts']}>
            <bdi>{video.videoOwner.fullname}</bdi> · {t`With a password`}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** The picture of a locked video, if its owner shows it, under a lock. */
export function LockedStill({ video: { thumbnail } }: { video: LockedVideo }) {
  return (
    <div className={styles['still']} aria-hidden="true">
      {thumbnail && <Thumbnail src={thumbnail} sizes="(min-width: 640px) 320px, 96vw" />}
      <span className={styles['lock']}>
        <Icon of={Lock} />
      </span>
    </div>
  )
}
