import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Subscription } from '@kinora/contract/watching/subscriptions.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import { ErrorBoundary } from '../../../ui/feedback/error-boundary.tsx'
import styles from './subscription-entries.module.css'

/** Subscribed channels in columns: picture, names, since when. */
export function SubscriptionEntries({ entries }: { entries: readonly Subscription[] }) {
  const [nowMs] = useState(() => Date.now())
  return (
    <ul className={styles['entries']}>
      {entries.map((entry) => (
        <li key={entry.subscribedToName.username}>
          <ErrorBoundary fallback={t`This channel cannot be displayed.`}>
            <SubscriptionEntry entry={entry} nowMs={nowMs} />
          </ErrorBoundary>
        </li>
      ))}
    </ul>
  )
}

function SubscriptionEntry({
  entry: { createdAt, subscribedToName: channel },
  nowMs,
}: {
  entry: Subscription
  nowMs: number
}) {
  return (
    <Link className={styles['entry']} to={paths.channel(channel.username)}>
      <Avatar src={channel.avatar} name={channel.fullname} size={56} />
      <span className={styles['text']}>
        <b>{channel.fullname}</b>
        <span>
          <bdi>@{channel.username}</bdi>
        </span>
        <small>
          <Trans>
            Added <span>{formatAge(createdAt, nowMs)}</span>
          </Trans>
        </small>
      </span>
    </Link>
  )
}

/** Placeholder while the subscriptions load. */
export function SubscriptionEntriesSkeleton() {
  return (
    <div role="status">
      <VisuallyHidden>{t`Loading subscriptions`}</VisuallyHidden>
      <ul className={styles['entries']} aria-hidden="true">
        {[140, 96, 120, 164, 110, 132].map((width) => (
          <li key={width} className={styles['entry']}>
            <Skeleton round width={56} height={56} />
            <span className={styles['bars']}>
              <Skeleton width={width} height={16} />
              <Skeleton width={width * 0.7} height={12} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
