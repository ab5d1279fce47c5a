import { t } from '@lingui/core/macro'
import type { FoundChannel } from '@kinora/contract/watching/search.ts'
import { Link } from 'react-router'
import { subscribersOf } from '../../../lib/format/counts.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import styles from './found-channels.module.css'

/** Channels that a search may mean, above its videos. */
export function FoundChannels({ channels }: { channels: readonly FoundChannel[] }) {
  return (
    <ul className={styles['channels']} aria-label={t`Matching channels`}>
      {channels.map(({ _id, username, fullname, avatar, subscribersCount }) => (
        <li key={_id}>
          <Link className={styles['channel']} to={paths.channelVideos(username)}>
            <Avatar src={avatar} name={fullname} size={56} />
            <span className={styles['text']}>
              <b dir="auto">{fullname}</b>
              <span>
                <bdi>@{username}</bdi> · {subscribersOf(subscribersCount)}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
