import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import {
  sharedEntriesQuery,
  sharedPlaylistQuery,
  videoOfPlaylistQuery,
} from '../../features/videos/share-links/api.ts'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { EntryRow } from '../../features/watching/playlists/entry-row.tsx'
import { videosOf } from '../../lib/format/counts.ts'
import { formatTotal } from '../../lib/format/total-duration.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { itemsOf } from '../../lib/list-pages.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import styles from './shared-page.module.css'
import { SharedVideoPage } from './shared-video.tsx'
import { useLinkCheck } from './use-link-check.ts'

/** The playlist of a link, and above it the one of its videos that the address names. */
export function SharedPlaylistPage({ visit }: { visit: string }) {
  const [search] = useSearchParams()
  const videoId = search.get('video')
  const playlist = useQuery(sharedPlaylistQuery(visit))
  if (videoId !== null) return <PlayingVideo key={videoId} visit={visit} videoId={videoId} />
  return (
    <div className={styles['page']}>
      <QuerySection
        query={playlist}
        failure={t`Could not load the playlist`}
        skeleton={<VideoRowsSkeleton />}
      >
        {({ title, description, owner, videosCount, duration }) => (
          <header className={styles['info']}>
            <PageTitle title={title} />
            <h1 className={styles['title']} dir="auto">
              {title}
            </h1>
            <p className={styles['owner']}>
              <bdi>{owner.fullname}</bdi> · {videosOf(videosCount)} · {formatTotal(duration)}
            </p>
            {description && (
              <p className={styles['description']} dir="auto">
                {description}
              </p>
            )}
          </header>
        )}
      </QuerySection>
      <Entries visit={visit} />
    </div>
  )
}

/** One of the videos, and the list below it. */
function PlayingVideo({ visit, videoId }: { visit: string; videoId: string }) {
  const navigate = useNavigate()
  const linkTo = useLinkTo()
  const { hash } = useLocation()
  const { data: video, error, refetch } = useQuery(videoOfPlaylistQuery(visit, videoId))
  const entries = itemsOf(useInfiniteQuery(sharedEntriesQuery(visit)).data)
  useLinkCheck(hash.slice(1), video, error)
  const isRefused = error instanceof ApiError && error.status < 500
  if (!video || isRefused)
    return (
      <div className={styles['page']}>
        {isRefused ? (
          <>
            <PageTitle title={t`Shared playlist`} />
            <h1 className={styles['title']}>{failureMessage(error)}</h1>
          </>
        ) : error ? (
          <LoadFailure title={t`Could not load the video`} onRetry={() => void refetch()} />
        ) : (
          <div className={styles['player']} />
        )}
        <Entries visit={visit} />
      </div>
    )
  const at = entries.findIndex((entry) => entry.video._id === videoId)
  const opener = (index: number) => {
    const id = at < 0 ? undefined : entries[index]?.video._id
    return id === undefined ? undefined : () => void navigate(linkTo(id))
  }
  const [onPrevious, onNext] = [opener(at - 1), opener(at + 1)]
  return (
    <SharedVideoPage
      video={video}
      visit={visit}
      queue={{ onPrevious, onNext }}
      endCard={<OpenNext onNext={onNext} />}
    >
      <Entries visit={visit} currentId={videoId} />
    </SharedVideoPage>
  )
}

/** Opens the next video in place of a card that offers it. */
function OpenNext({ onNext }: { onNext: (() => void) | undefined }) {
  const open = useEffectEvent(() => onNext?.())
  useEffect(() => {
    open()
  }, [])
  return null
}

/** The address of a video of the list. The secret stays behind `#`. */
function useLinkTo() {
  const { hash } = useLocation()
  return (videoId: string) => `?video=${encodeURIComponent(videoId)}${hash}`
}

function Entries({ visit, currentId }: { visit: string; currentId?: string }) {
  const linkTo = useLinkTo()
  const query = useInfiniteQuery(sharedEntriesQuery(visit))
  const { data } = useQuery(sharedPlaylistQuery(visit))
  return (
    <section aria-label={t`Playlist`}>
      {currentId !== undefined && data && (
        <h2 className={styles['listTitle']} dir="auto">
          {data.title}
        </h2>
      )}
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        failure={t`Could not load the videos`}
        skeleton={<VideoRowsSkeleton />}
        empty={
          <EmptyState
            title={t`No videos yet`}
            text={t`The person who sent you the link has not added any that it shows.`}
          />
        }
      >
        {(items) => (
          <ol className={styles['entries']}>
            {items.map((entry) => (
              <li key={entry._id}>
                <EntryRow entry={entry} linkTo={linkTo} isCurrent={entry.video._id === currentId} />
              </li>
            ))}
          </ol>
        )}
      </PagedList>
    </section>
  )
}
