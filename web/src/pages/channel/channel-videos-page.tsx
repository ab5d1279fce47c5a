import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type { Page } from '@kinora/contract/endpoint.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  channelPlaylistsQuery,
  foundVideosQuery,
  profileQuery,
} from '../../features/watching/channels/api.ts'
import { type ChannelView, sortNamed, VideoFilters } from '../../features/watching/channels/video-filters.tsx'
import { PlaylistCards } from '../../features/watching/playlists/playlist-cards.tsx'
import { isSameUsername, useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { channelVideosQuery } from '../../features/accounts/users/api.ts'
import { CreateButton } from '../../features/videos/uploads/tray/create-button.tsx'
import { VisibilityBadge } from '../../features/videos/studio/visibility-badge.tsx'
import { VideoCard } from '../../features/videos/videos/cards/video-card.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { useDebounced } from '../../lib/browser/use-debounced.ts'
import { isPublic } from '../../lib/is-public.ts'
import { itemsOf } from '../../lib/list-pages.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx'
import { FeedMenu } from '../../ui/feed-link.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import styles from './channel-page.module.css'

const LockedSection = lazy(async () => ({
  default: (await import('./locked-section.tsx')).LockedSection,
}))

const ComingSection = lazy(async () => ({
  default: (await import('./coming-section.tsx')).ComingSection,
}))

/** Visibility of a video that is not public. */
const badgeOf = (video: Video) => !isPublic(video) && <VisibilityBadge video={video} />

/** Pause in typing after which videos are looked for. */
const FIND_AFTER_MS = 250

/** The pinned video of a channel and its videos, or those found; or its public playlists. */
export function ChannelVideosPage() {
  const { channelUsername } = useAuth()
  const username = channelUsername ?? ''
  const [text, setText] = useState('')
  const [search, setSearch] = useSearchParams()
  const found = useDebounced(text.trim(), FIND_AFTER_MS)
  const sort = sortNamed(search.get('sort'))
  const showsPlaylists = search.get('show') === 'playlists'

  function change({ text: typed, ...view }: Partial<ChannelView>) {
    if (typed !== undefined) setText(typed)
    const next = { sort, showsPlaylists, ...view }
    if (next.sort === sort && next.showsPlaylists === showsPlaylists) return
    setSearch(
      {
        ...(next.sort === 'newest' ? {} : { sort: next.sort }),
        ...(next.showsPlaylists ? { show: 'playlists' } : {}),
      },
      { replace: true, preventScrollReset: true },
    )
  }

  return (
    <div className={styles['tab']}>
      <VisuallyHidden as="h2">{t`Videos`}</VisuallyHidden>
      <VideoFilters view={{ text, sort, showsPlaylists }} onChange={change}>
        <FeedMenu path={paths.channelFeed(username)} />
      </VideoFilters>
      {showsPlaylists ? (
        <Playlists username={username} />
      ) : found === '' && sort === 'newest' ? (
        <NewestVideos username={username} />
      ) : (
        <FoundVideos username={username} view={{ text: found, sort }} />
      )}
    </div>
  )
}

function NewestVideos({ username }: { username: string }) {
  const { authData, channelUsername } = useAuth()
  const isOwn = isSameUsername(authData?.username, channelUsername)
  const query = useInfiniteQuery(channelVideosQuery(username))
  const [wasLoaded] = useState(query.isSuccess)
  const { data: profile, isPending } = useQuery(profileQuery(username))
  // The pinned video is placed above the others: they wait, so that they do not move.
  if (isPending || query.isPending) return <VideoGridSkeleton count={5} />
  return (
    <>
      {profile?.hasComing && (
        <Suspense>
          <ComingSection username={username} />
        </Suspense>
      )}
      {profile?.pinnedVideo && (
        <section className={styles['pinned']} aria-label={t`Pinned`}>
          <h3>{t`Pinned`}</h3>
          <ErrorBoundary fallback={t`This video cannot be displayed.`}>
            <VideoCard video={profile.pinnedVideo} variant="row" heading="h3" eager />
          </ErrorBoundary>
        </section>
      )}
      <VideoList query={query} isOwn={isOwn} isComplete={wasLoaded}>
        <EmptyState
          title={t`No videos yet`}
          text={isOwn ? t`The videos you publish appear here.` : t`The videos they publish appear here.`}
        >
          {authData && isOwn && <CreateButton label={t`Upload the first one`} />}
        </EmptyState>
      </VideoList>
      {profile?.hasLocked && (
        <Suspense>
          <LockedSection username={username} />
        </Suspense>
      )}
    </>
  )
}

function FoundVideos({ username, view }: { username: string; view: Pick<ChannelView, 'text' | 'sort'> }) {
  const query = useInfiniteQuery(foundVideosQuery(username, view))
  const { authData, channelUsername } = useAuth()
  return (
    <VideoList query={query} isOwn={isSameUsername(authData?.username, channelUsername)}>
      <EmptyState
        title={t`Nothing found`}
        text={view.text === '' ? t`This channel has no videos.` : t`Try fewer or different words.`}
      />
    </VideoList>
  )
}

/** The videos of a query, or `children` if there are none. */
function VideoList({
  query,
  isOwn,
  isComplete = false,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<Page<Video>>>
  /** Whether the viewer owns the channel. */
  isOwn: boolean
  /** Renders all of them at once. */
  isComplete?: boolean
  children: ReactNode
}) {
  return (
    <PagedList
      query={query}
      items={itemsOf(query.data)}
      failure={t`Could not load the videos`}
      skeleton={<VideoGridSkeleton count={5} />}
      empty={children}
    >
      {(videos) => (
        <VideoGrid
          videos={videos}
          isComplete={isComplete}
          heading="h3"
          badgeOf={isOwn ? badgeOf : undefined}
        />
      )}
    </PagedList>
  )
}

function Playlists({ username }: { username: string }) {
  return (
    <QuerySection
      query={useQuery(channelPlaylistsQuery(username))}
      failure={t`Could not load the playlists`}
      skeleton={<VideoGridSkeleton count={4} />}
      empty={
        <EmptyState title={t`No public playlists`} text={t`Public playlists of this channel appear here.`} />
      }
    >
      {(playlists) => <PlaylistCards playlists={playlists} />}
    </QuerySection>
  )
}
