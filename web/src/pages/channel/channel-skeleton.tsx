import { useMatch } from 'react-router'
import { VideoFiltersSkeleton } from '../../features/watching/channels/video-filters.tsx'
import { ChannelHeaderSkeleton } from '../../features/accounts/users/channel-header.tsx'
import { ChannelTabsSkeleton } from '../../features/accounts/users/channel-tabs.tsx'
import { VideoGridSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import styles from './channel-page.module.css'

/** Placeholder of a channel until the session check finishes; the first tab includes the first thumbnail. */
export function ChannelPageSkeleton() {
  const isIndex = useMatch('/c/:channelId') !== null
  const isVideosTab = useMatch('/c/:channelId/videos') !== null
  return (
    <>
      <ChannelHeaderSkeleton />
      <ChannelTabsSkeleton />
      {(isIndex || isVideosTab) && (
        <div className={styles['tab']}>
          <VideoFiltersSkeleton />
          <VideoGridSkeleton count={5} />
        </div>
      )}
    </>
  )
}
