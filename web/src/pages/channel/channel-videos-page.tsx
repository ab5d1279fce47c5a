import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { isSameUsername, useAuth } from '../../features/sessions/use-auth.ts'
import { channelVideosQuery } from '../../features/users/api.ts'
import { VideoGrid, VideoGridSkeleton } from '../../features/videos/cards/video-grid.tsx'
import { itemsOf } from '../../lib/list-pages.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import styles from './channel-page.module.css'

/** Videos of a channel, newest first. */
export function ChannelVideosPage() {
  const { authData, channelUsername } = useAuth()
  const username = channelUsername ?? ''
  const isOwn = isSameUsername(authData?.username, channelUsername)
  const query = useInfiniteQuery(channelVideosQuery(username))
  const [wasLoaded] = useState(query.isSuccess)
  const videos = itemsOf(query.data)
  return (
    <div className={styles['tab']}>
      <VisuallyHidden as="h2">Videos</VisuallyHidden>
      {query.isPending && <VideoGridSkeleton count={5} />}
      {query.isError && videos.length === 0 && (
        <LoadFailure title="Could not load the videos" onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && videos.length === 0 && (
        <EmptyState title="No videos yet" text={`The videos ${isOwn ? 'you' : 'they'} publish appear here.`}>
          {authData && isOwn && (
            <Link className={buttonClass('solid')} to={paths.upload(authData.username)}>
              Upload the first one
            </Link>
          )}
        </EmptyState>
      )}
      {videos.length > 0 && <VideoGrid videos={videos} isComplete={wasLoaded} heading="h3" />}
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        hasFailed={query.isFetchNextPageError}
        onMore={query.fetchNextPage}
      />
    </div>
  )
}
