import { plural } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { Link } from 'react-router'
import { formatFullCount } from '../../../../lib/format/counts.ts'
import { paths } from '../../../../paths.ts'
import { Avatar } from '../../../../ui/avatar.tsx'
import styles from './video-owner.module.css'

/** Owner of a video with the subscriber count. */
export function VideoOwner({ video }: { video: Video }) {
  const { videoOwner: owner, totalSubs } = video
  return (
    <Link className={styles['owner']} to={paths.channel(owner.username)}>
      <Avatar src={owner.avatar} name={owner.fullname} size={48} />
      <span>
        <strong>{owner.fullname}</strong>
        <span>
          <span data-count="subscribers">{formatFullCount(totalSubs)}</span>{' '}
          {plural(totalSubs ?? 0, { one: 'subscriber', other: 'subscribers' })}
        </span>
      </span>
    </Link>
  )
}
