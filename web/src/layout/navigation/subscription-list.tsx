import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { subscriptionsQuery } from '../../features/watching/subscriptions/api.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import styles from './side-nav.module.css'

const SHOWN_SUBSCRIPTIONS = 5

/** The channels last subscribed to; nothing at all when there are none. */
export function SubscriptionList({
  username,
  className,
  onNavigate,
}: {
  username: string
  className?: string | undefined
  onNavigate?: (() => void) | undefined
}) {
  // In the nav and again in the sheet of a phone.
  const headingId = useId()
  const { data, isPending } = useQuery(subscriptionsQuery(username))
  const channels = data?.items.slice(0, SHOWN_SUBSCRIPTIONS).map((entry) => entry.subscribedToName) ?? []
  if (!isPending && channels.length === 0) return null
  return (
    <section className={className} aria-labelledby={headingId}>
      <h2 id={headingId}>{t`Subscriptions`}</h2>
      <ul className={styles['subscriptions']} aria-labelledby={headingId} aria-busy={isPending}>
        {isPending &&
          [62, 88, 74, 96, 68].map((width) => (
            <li key={width} className={styles['placeholder']} data-skeleton="subscription">
              <Skeleton round width={28} height={28} />
              <Skeleton width={width} height={12} />
            </li>
          ))}
        {channels.map((channel) => (
          <li key={channel.username}>
            <Link to={paths.channel(channel.username)} onClick={onNavigate}>
              <Avatar src={channel.avatar} name={channel.fullname} size={28} />
              <span>{channel.fullname}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
