import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { channelsQuery } from '../features/watching/channels/api.ts'
import { ListedChannels } from '../features/watching/channels/listed-channels.tsx'
import { BrowseLinks } from '../features/videos/videos/browse/browse-links.tsx'
import { itemsOf } from '../lib/list-pages.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { LoadMore } from '../ui/feedback/load-more.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import styles from './browse-page.module.css'
import { SubscribeAction } from './channel/subscribe-action.tsx'

/** The channels that have videos, newest first. */
export function ChannelsPage() {
  const query = useInfiniteQuery(channelsQuery)
  const channels = itemsOf(query.data)
  return (
    <>
      <BrowseLinks />
      <PageTitle title={t`Channels`} />
      <div className={styles['head']}>
        <h1>{t`Channels`}</h1>
      </div>
      {query.isPending && <p role="status">{t`Loading…`}</p>}
      {query.isError && channels.length === 0 && (
        <LoadFailure title={t`Could not load the channels`} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && channels.length === 0 && <EmptyState title={t`No videos yet`} />}
      {channels.length > 0 && <ListedChannels channels={channels} action={SubscribeAction} />}
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        hasFailed={query.isFetchNextPageError}
        onMore={query.fetchNextPage}
      />
    </>
  )
}
