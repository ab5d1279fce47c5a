import { t } from '@lingui/core/macro'
import { parseTimes } from '@kinora/contract/videos/player-times.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { ScrollText, Share2 } from 'lucide-react'
import { lazy, Suspense, useContext, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link, Outlet, useNavigate, useParams, useSearchParams } from 'react-router'
import { isSameUsername } from '../../features/accounts/sessions/use-auth.ts'
import { Comments } from '../../features/conversation/comments/comments.tsx'
import { LikeButtons } from '../../features/conversation/likes/like-buttons.tsx'
import { streamUrlOf } from '../../features/videos/playback/engine/stream-url.ts'
import { MiniPlayerContext } from '../../features/videos/playback/mini/mini-player-context.ts'
import { loadPreferences, savePreferences } from '../../features/videos/playback/state/preferences.ts'
import { usePosition } from '../../features/videos/playback/position/use-position.ts'
import { reportWatched } from '../../features/videos/playback/reports/api.ts'
import type { Watched } from '../../features/videos/playback/reports/watch-log.ts'
import { trafficOfPage } from '../../features/videos/playback/reports/traffic-source.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import { SubscribeButton } from '../../features/watching/subscriptions/subscribe-button.tsx'
import { Recommendations } from '../../features/videos/videos/recommended/recommendations.tsx'
import { VideoMenu } from '../../features/videos/videos/cards/video-menu.tsx'
import { VideoDescription } from '../../features/videos/videos/details/video-description.tsx'
import { VideoOwner } from '../../features/videos/videos/details/video-owner.tsx'
import { preloadedTitle } from '../../lib/browser/preloaded-title.ts'
import { previousPage } from '../../lib/browser/previous-page.ts'
import { useSettings } from '../../lib/settings.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { isPublic } from '../../lib/is-public.ts'
import { PlayerCover } from '../../features/videos/videos/covers/covers.ts'
import { useCover } from '../../lib/sensitive.ts'
import { overPage } from '../../lib/browser/use-close-modal.ts'
import { paths, type PlaylistPlace } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { TimeLinks } from '../../ui/text/linkified-text.tsx'
import { useUpNext } from './use-up-next.tsx'
import { useVisit } from './use-visit.ts'
import { detailsOf } from './video-details.ts'
import styles from './watch-page.module.css'
import { WatchSkeleton } from './watch-skeleton.tsx'
import { withMessages } from '../../lib/i18n/messages.ts'

const together = <Name extends 'AnnouncedPremiere' | 'ChatPanel'>(name: Name) =>
  lazy(async () => ({
    default: (await withMessages('pages', () => import('../premieres/together.ts')))[name],
  }))
const AnnouncedPremiere = together('AnnouncedPremiere')
const ChatPanel = together('ChatPanel')
const PauseAt = lazy(async () => ({
  default: (await import('../../features/videos/playback/range/pause-at.tsx')).PauseAt,
}))
const TranscriptPanel = lazy(async () => ({
  default: (await import('../../features/videos/playback/transcript/transcript-panel.tsx')).TranscriptPanel,
}))
const rare = <
  Name extends
    | 'ChapterList'
    | 'EndedStream'
    | 'LiveBar'
    | 'MenuEntries'
    | 'OwnLinks'
    | 'PremiereBar'
    | 'VisibilityBadge',
>(
  name: Name,
) => lazy(async () => ({ default: (await withMessages('pages', () => import('./watch-extras.tsx')))[name] }))
const ChapterList = rare('ChapterList')
const EndedStream = rare('EndedStream')
const LiveBar = rare('LiveBar')
const MenuEntries = rare('MenuEntries')
const OwnLinks = rare('OwnLinks')
const PremiereBar = rare('PremiereBar')
const VisibilityBadge = rare('VisibilityBadge')
const ClipPanel = lazy(async () => ({
  default: (await withMessages('pages', () => import('../../features/watching/clips/clip-panel.tsx')))
    .ClipPanel,
}))
const PlaylistColumn = lazy(async () => ({
  default: (
    await withMessages('pages', () => import('../../features/watching/playlists/playlist-column.tsx'))
  ).PlaylistColumn,
}))

/** One video: player, details, comments, recommendations. Opening another video resets all state. */
export function WatchPage() {
  const { videoId = '' } = useParams()
  return <Visit key={videoId} videoId={videoId} />
}

function Visit({ videoId }: { videoId: string }) {
  const visit = useVisit(videoId)
  const { video, isMissing } = visit
  const [isOpened, setOpened] = useState(false)
  const [isAnnounced, setAnnounced] = useState(false)
  // Also for people who may see it already. It stays so while the video is requested again.
  const isPremiere = isMissing || (video?.visibility === 'scheduled' && video.premiereAt !== undefined)
  if (isPremiere && !isAnnounced) setAnnounced(true)
  if (!isAnnounced || isOpened) return <Watched videoId={videoId} visit={visit} />
  return (
    <Suspense>
      <AnnouncedPremiere videoId={videoId} visit={visit} onOpen={() => setOpened(true)} />
    </Suspense>
  )
}

/** A video that the viewer may see. */
function Watched({ videoId, visit }: { videoId: string; visit: ReturnType<typeof useVisit> }) {
  const { video } = visit
  const [isCovered, show] = useCover(video)
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const player = useRef<PlayerHandle>(null)
  const theatre = useTheatre()
  const { siteContact } = useSettings()
  useUpright(video)
  const requested = parseTimes(search)
  const { startSeconds, onPosition } = usePosition({
    videoId,
    userId: visit.auth.authStatus === null ? undefined : (visit.auth.authData?._id ?? null),
    // a part that begins with the video is not continued at a saved position
    requestedSeconds: requested.startSeconds ?? (requested.endSeconds === undefined ? undefined : 0),
    durationSeconds: video?.duration,
    player,
  })
  const titleId = useId()
  const continueInCorner = useContext(MiniPlayerContext)
  const place = placeOf(search)
  const upNext = useUpNext(videoId, video?.title, place, player)
  const [traffic] = useState(() =>
    trafficOfPage({
      previousPath: previousPage(),
      isInPlaylist: place !== undefined,
      referrer: document.referrer,
      origin: location.origin,
    }),
  )

  const onWatched = (watched: Watched) => reportWatched(videoId, watched, traffic)
  const details = video && detailsOf(video)
  const isLive = video?.isLive && !visit.isGone
  const [wasLive, setWasLive] = useState(false)
  if (isLive && !wasLive) setWasLive(true)
  // a stream that is not kept, or was deleted
  const hasEnded = video?.isLive && visit.isGone
  const isOwn = isSameUsername(visit.auth.authData?.username, video?.videoOwner.username)
  const [panel, setPanel] = useState<'transcript' | 'clip'>()
  const hasTranscript = panel === 'transcript'
  const times: TimeLinks = {
    durationSeconds: video?.duration ?? 0,
    href: (seconds) => `${paths.watch(videoId)}?t=${seconds}`,
    onSeek: (seconds) => {
      player.current?.seekTo(seconds)
      scrollTo({ top: 0 })
    },
  }
  return (
    <div className={styles['watch']}>
      <PageTitle title={video?.title ?? preloadedTitle()} />
      {/* Rendered before the page's data is loaded: the stream needs only the id. */}
      {isCovered ? (
        <Suspense>
          <PlayerCover className={styles['player']} video={video} onShow={show} />
        </Suspense>
      ) : hasEnded ? (
        <Suspense>
          <EndedStream className={styles['player']} />
        </Suspense>
      ) : (
        <VideoPlayer
          ref={player}
          className={styles['player']}
          streamUrl={streamUrlOf(videoId)}
          details={details}
          startSeconds={startSeconds}
          theatre={theatre}
          queue={upNext.queue}
          endCard={upNext.endCard}
          onEnded={isLive ? undefined : upNext.onEnded}
          onFocusSearch={focusSearch}
          // a live stream grows: no position is near its end, and the next visit begins at the present
          onPosition={video && !isLive ? onPosition : undefined}
          onLeftPlaying={(seconds, watchLog) =>
            details &&
            continueInCorner({
              videoId,
              streamUrl: streamUrlOf(videoId),
              details,
              startSeconds: seconds,
              watchLog,
              onWatched,
            })
          }
          onWatched={onWatched}
        >
          {requested.endSeconds !== undefined && (
            <Suspense>
              <PauseAt player={player} seconds={requested.endSeconds} />
            </Suspense>
          )}
        </VideoPlayer>
      )}
      {video?.hasChat && !panel && !visit.isGone && (
        <div className={styles['panel']}>
          <Suspense>
            <ChatPanel videoId={videoId} viewer={visit} player={player} />
          </Suspense>
        </div>
      )}
      {hasTranscript && details && (
        <div className={styles['panel']}>
          <Suspense>
            <TranscriptPanel
              tracks={details.captions}
              player={player}
              onSeek={(seconds) => player.current?.seekTo(seconds)}
              onClose={() => setPanel(undefined)}
            />
          </Suspense>
        </div>
      )}
      {video && panel === 'clip' && (
        <div className={styles['panel']}>
          <Suspense>
            <ClipPanel
              videoId={videoId}
              durationSeconds={video.duration}
              player={player}
              onMade={({ _id }) => void navigate(paths.clip(_id))}
              onClose={() => setPanel(undefined)}
            />
          </Suspense>
        </div>
      )}
      <div className={styles['info']}>
        {video ? (
          <>
            {video.premiereAt !== undefined && (
              <Suspense>
                <PremiereBar video={video} player={player} />
              </Suspense>
            )}
            {(isLive || (wasLive && !hasEnded)) && (
              <Suspense>
                <LiveBar videoId={videoId} player={player} isRecorded={!isLive} />
              </Suspense>
            )}
            <h1 className={styles['title']} id={titleId} dir="auto">
              {video.title}
            </h1>
            <div className={styles['row']}>
              <VideoOwner video={video} />
              <SubscribeButton
                isSubscribed={visit.isSubscribed}
                isOwn={isOwn}
                hasFailed={visit.hasSubscribeFailed}
                onToggle={visit.subscribe}
              />
              <div className={styles['actions']}>
                {!hasEnded && (
                  <LikeButtons
                    isLiked={visit.isLiked}
                    count={visit.totalLikes}
                    hasFailed={visit.hasLikeFailed}
                    onLike={visit.like}
                    onDislike={visit.dislike}
                  />
                )}
                <Link
                  className={buttonClass('quiet')}
                  to={paths.share(videoId)}
                  state={overPage}
                  preventScrollReset
                >
                  <Icon of={Share2} />
                  {t`Share`}
                </Link>
                {visit.isSignedIn && (
                  <VideoMenu video={video} describedBy={titleId} className={styles['menu']}>
                    <Suspense>
                      <MenuEntries video={video} isOwn={isOwn} onClip={() => setPanel('clip')} />
                    </Suspense>
                  </VideoMenu>
                )}
              </div>
            </div>
            {video.heldVisibility && (
              <p className={styles['waiting']}>
                {t`Waits for approval. Only its owner and moderators can watch it.`}
              </p>
            )}
            {isOwn && (
              <div className={styles['own']}>
                <Suspense>
                  <OwnLinks videoId={videoId} />
                </Suspense>
              </div>
            )}
            <div className={styles['below']}>
              <div>
                {!isPublic(video) && !video.heldVisibility && (
                  <div className={styles['visibility']}>
                    <Suspense>
                      <VisibilityBadge video={video} />
                    </Suspense>
                  </div>
                )}
                <VideoDescription video={video} times={times} />
                {visit.auth.authStatus === false && siteContact !== '' && (
                  <p className={styles['contact']}>
                    {t`Something wrong with this video? Write to ${siteContact}`}
                  </p>
                )}
                {details && details.captions.length > 0 && (
                  <Button
                    className={styles['transcript']}
                    aria-expanded={hasTranscript}
                    onClick={() => setPanel(hasTranscript ? undefined : 'transcript')}
                  >
                    <Icon of={ScrollText} />
                    {t`Transcript`}
                  </Button>
                )}
                {details && details.chapters.length > 0 && (
                  <Suspense>
                    <ChapterList
                      chapters={details.chapters}
                      player={player}
                      href={times.href}
                      onSeek={times.onSeek}
                    />
                  </Suspense>
                )}
              </div>
              {!hasEnded && (
                <Comments
                  videoId={videoId}
                  ownerId={video.videoOwner._id}
                  areAllowed={video.commentsAllowed ?? true}
                  linkedId={search.get('comment')}
                  isOwnVideo={isOwn}
                  authStatus={visit.auth.authStatus}
                  user={visit.auth.authData}
                  times={times}
                  requireSession={visit.requireSession}
                  loginState={visit.loginStateFor('comment')}
                  onRefused={visit.onRefused}
                />
              )}
            </div>
          </>
        ) : (
          <WatchSkeleton />
        )}
      </div>
      <div className={styles['aside']}>
        <div className={styles['beside']}>
          {place && (
            <Suspense>
              <PlaylistColumn key={`${place.listId} ${place.shuffle}`} videoId={videoId} place={place} />
            </Suspense>
          )}
          <Recommendations
            videoId={videoId}
            title={video?.title}
            isSignedIn={visit.isSignedIn}
            upNext={upNext.recommended}
            action={upNext.autoplaySwitch}
          />
        </div>
      </div>
      <Outlet context={player} />
    </div>
  )
}

/** The playlist that the address names with `?list=`. */
function placeOf(search: URLSearchParams): PlaylistPlace | undefined {
  const listId = search.get('list')
  return listId ? { listId, shuffle: search.get('shuffle') ?? undefined } : undefined
}

/** Set on the root element, where `start.js` sets it for the skeleton. */
function useTheatre() {
  const [isOn, setOn] = useState(() => loadPreferences().isTheatre)
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-theatre', isOn)
  }, [isOn])
  return {
    isOn,
    onToggle: () => {
      setOn(!isOn)
      savePreferences({ isTheatre: !isOn })
    },
  }
}

/** Set on the root element, where the server sets it for pages opened by their address. */
function useUpright(video: Pick<Video, 'width' | 'height'> | undefined) {
  const isUpright = video && video.height > video.width
  useLayoutEffect(() => {
    if (isUpright === undefined) return
    document.documentElement.toggleAttribute('data-upright', isUpright)
    return () => document.documentElement.removeAttribute('data-upright')
  }, [isUpright])
}

function focusSearch() {
  document.querySelector<HTMLElement>('[role="search"] input')?.focus()
}
