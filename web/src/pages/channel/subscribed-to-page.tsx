import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { isSameUsername, useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { subscriptionsQuery } from '../../features/watching/subscriptions/api.ts'
import {
  SubscriptionEntries,
  SubscriptionEntriesSkeleton,
} from '../../features/watching/subscriptions/subscription-entries.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import styles from './channel-page.module.css'
import { Feed } from './feed.tsx'

/** Fixed by the specification. */
const SHOWN_ENTRIES = 11

/** Channels that a channel subscribes to, newest first. */
export function SubscribedToPage() {
  const { authData, channelUsername } = useAuth()
  const isOwn = isSameUsername(authData?.username, channelUsername)
  const { data, isPending, error, refetch } = useQuery(subscriptionsQuery(channelUsername ?? ''))
  const isHidden = error instanceof ApiError && error.status === 403
  const entries = data?.items.slice(0, SHOWN_ENTRIES) ?? []
  return (
    <div className={styles['tab']}>
      <PageTitle title={t`Subscribed to`} />
      <VisuallyHidden as="h2">{t`Subscribed to`}</VisuallyHidden>
      {isPending && <SubscriptionEntriesSkeleton />}
      {isHidden && (
        <EmptyState
          title={t`Not shown`}
          text={t`Only this person sees the channels that they subscribe to.`}
        />
      )}
      {error && !data && !isHidden && (
        <LoadFailure title={t`Could not load the subscriptions`} onRetry={() => void refetch()} />
      )}
      {data && !isHidden && entries.length === 0 && (
        <EmptyState
          title={t`Not subscribed to anyone yet`}
          text={
            isOwn
              ? t`The channels you subscribe to appear here.`
              : t`The channels they subscribe to appear here.`
          }
        />
      )}
      {!isHidden && entries.length > 0 && <SubscriptionEntries entries={entries} />}
      {isOwn && entries.length > 0 && <Feed />}
    </div>
  )
}
