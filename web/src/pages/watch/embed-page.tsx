import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import { embedRefusedMeta } from '@kinora/contract/videos/embed.ts'
import { parseTimes } from '@kinora/contract/videos/player-times.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { streamUrlOf } from '../../features/videos/playback/engine/stream-url.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { reportWatched } from '../../features/videos/playback/reports/api.ts'
import { trafficOfEmbed } from '../../features/videos/playback/reports/traffic-source.ts'
import { PlayerCover } from '../../features/videos/videos/covers/covers.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import { recordVideoView, videoQuery } from '../../features/videos/videos/details/api.ts'
import { withMessages } from '../../lib/i18n/messages.ts'
import { useCover } from '../../lib/sensitive.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { EmbedTitle, MissingEmbed } from './embed-parts.tsx'
import styles from './embed-page.module.css'
import { detailsOf } from './video-details.ts'

const PauseAt = lazy(async () => ({
  default: (await import('../../features/videos/playback/range/pause-at.tsx')).PauseAt,
}))
const live = <Name extends 'EmbedLive' | 'EmbedNotice' | 'EndedStream'>(name: Name) =>
  lazy(async () => ({ default: (await withMessages('pages', () => import('./embed-live.tsx')))[name] }))
const EmbedLive = live('EmbedLive')
const EmbedNotice = live('EmbedNotice')
const EndedStream = live('EndedStream')
const EmbedAnnounced = lazy(async () => ({
  default: (await withMessages('pages', () => import('./embed-announced.tsx'))).EmbedAnnounced,
}))
const EmbedChat = lazy(async () => ({
  default: (await withMessages('pages', () => import('./embed-chat.tsx'))).EmbedChat,
}))

/** The player alone, for frames on other sites, unless the owner of the video does not allow them. */
export function EmbedPage() {
  const { videoId = '' } = useParams()
  const isRefused = document.querySelector(`meta[name="${embedRefusedMeta}"]`) !== null
  return (
    <main className={styles['embed']} id="main" tabIndex={-1}>
      {isRefused ? (
        <MissingEmbed
          href={paths.watch(videoId)}
          link={t`Open the video`}
        >{t`This site may not show this video`}</MissingEmbed>
      ) : (
        <EmbeddedVideo videoId={videoId} />
      )}
    </main>
  )
}

/** The player: `?autoplay=1` starts it, `?t=90&end=120` sets where it starts and pauses, `?chat=1` has the chat beside it. */
function EmbeddedVideo({ videoId }: { videoId: string }) {
  const [search] = useSearchParams()
  const { data: video, isLoadingError, error } = useQuery(videoQuery(videoId))
  // a stream that is not kept, or was deleted
  const hasEnded = video?.isLive && error instanceof ApiError && error.status === 404
  const [isCovered, show] = useCover(video)
  const hasCounted = useRef(false)
  const player = useRef<PlayerHandle>(null)
  const { startSeconds = 0, endSeconds } = parseTimes(search)

  // Only playback counts as a view, not loading the frame.
  function countOnce() {
    if (hasCounted.current) return
    hasCounted.current = true
    recordVideoView(videoId).catch((reason: unknown) => console.error('The view was not recorded', reason))
  }

  return (
    <>
      <PageTitle title={video?.title} />
      {isLoadingError ? (
        <Suspense>
          <EmbedAnnounced
            videoId={videoId}
            missing={
              <MissingEmbed
                href={paths.home()}
                link={t`Go to the site`}
              >{t`This video isn't available`}</MissingEmbed>
            }
          />
        </Suspense>
      ) : hasEnded ? (
        <Suspense>
          <EndedStream className={styles['player']} />
        </Suspense>
      ) : isCovered ? (
        <Suspense>
          <PlayerCover className={styles['player']} video={video} onShow={show} />
        </Suspense>
      ) : (
        <VideoPlayer
          key={videoId}
          ref={player}
          className={styles['player']}
          streamUrl={streamUrlOf(videoId)}
          details={video && detailsOf(video)}
          clock={
            // the mark beside the title says it
            video?.isLive && <span />
          }
          autoplays={search.get('autoplay') === '1'}
          isEmbedded
          startSeconds={() => startSeconds}
          onPosition={countOnce}
          onWatched={(watched) => reportWatched(videoId, watched, trafficOfEmbed(document.referrer))}
        >
          {endSeconds !== undefined && (
            <Suspense>
              <PauseAt player={player} seconds={endSeconds} />
            </Suspense>
          )}
          {video?.isLive && (
            <Suspense>
              <EmbedNotice videoId={videoId} />
            </Suspense>
          )}
          {video && (
            <EmbedTitle href={paths.watch(videoId)} title={video.title}>
              {video.isLive && (
                <Suspense>
                  <EmbedLive videoId={videoId} player={player} />
                </Suspense>
              )}
            </EmbedTitle>
          )}
        </VideoPlayer>
      )}
      {video?.hasChat && !hasEnded && search.get('chat') === '1' && (
        <Suspense>
          <EmbedChat videoId={videoId} player={player} />
        </Suspense>
      )}
    </>
  )
}
