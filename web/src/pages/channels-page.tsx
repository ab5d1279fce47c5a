import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { channelsQuery } from '../features/watching/channels/api.ts'
import { ListedChannels } from '../features/watching/channels/listed-channels.tsx'
import { BrowseLinks } from '../features/videos/videos/browse/browse-links.tsx'
import { itemsOf } from '../lib/list-pages.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import styles from './browse-page.module.css'
import { SubscribeAction } from './channel/subscribe-action.tsx'

/** The channels that have videos, newest first. */
export function ChannelsPage() {
  const query = useInfiniteQuery(channelsQuery)
  return (
    <>
      <BrowseLinks />
      <PageTitle title={t`Channels`} />
      <div className={styles['head']}>
        <h1>{t`Channels`}</h1>
      </div>
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        failure={t`Could not load the channels`}
        skeleton={<p role="status">{t`Loading…`}</p>}
        empty={<EmptyState title={t`No videos yet`} />}
      >
        {(channels) => <ListedChannels channels={channels} action={SubscribeAction} />}
      </PagedList>
    </>
  )
}
