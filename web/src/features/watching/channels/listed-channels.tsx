import { plural, t } from '@lingui/core/macro'
import type { ListedChannel } from '@kinora/contract/watching/channels.ts'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ErrorBoundary } from '../../../ui/feedback/error-boundary.tsx'
import styles from './listed-channels.module.css'

/** Channels in columns: picture, names, subscribers, and what can be done. */
export function ListedChannels({
  channels,
  action: Action,
}: {
  channels: readonly ListedChannel[]
  action: ComponentType<{ channel: ListedChannel }>
}) {
  return (
    <ul className={styles['channels']} aria-label={t`Channels`}>
      {channels.map((channel) => (
        <li key={channel._id}>
          <ErrorBoundary fallback={t`This channel cannot be displayed.`}>
            <Link className={styles['channel']} to={paths.channel(channel.username)}>
              <Avatar src={channel.avatar} name={channel.fullname} size={48} lazy />
              <span className={styles['text']}>
                <b dir="auto">{channel.fullname}</b>
                <small>
                  <bdi>@{channel.username}</bdi>
                  {' · '}
                  {formatFullCount(channel.subscribersCount)}{' '}
                  {plural(channel.subscribersCount, { one: 'subscriber', other: 'subscribers' })}
                </small>
              </span>
            </Link>
            <Action channel={channel} />
          </ErrorBoundary>
        </li>
      ))}
    </ul>
  )
}
