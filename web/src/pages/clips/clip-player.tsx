import type { DetailedClip } from '@kinora/contract/watching/clips.ts'
import type { DetailedVideo } from '@kinora/contract/videos/videos.ts'
import { type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef } from 'react'
import { streamUrlOf } from '../../features/videos/playback/engine/stream-url.ts'
import { keepWithin, partOf } from '../../features/videos/playback/range/part.ts'
import { reportWatched } from '../../features/videos/playback/reports/api.ts'
import type { Traffic } from '../../features/videos/playback/reports/traffic-source.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import { PlayerCover } from '../../features/videos/videos/covers/covers.ts'
import { recordVideoView } from '../../features/videos/videos/details/api.ts'
import { useCover } from '../../lib/sensitive.ts'
import { detailsOf } from '../watch/video-details.ts'

/** The player of a clip, which plays its part of the video alone, and counts as a view of the video. */
export function ClipPlayer({
  clip,
  video,
  traffic,
  autoplays = true,
  isEmbedded = false,
  className,
  children,
}: {
  clip: DetailedClip
  /** Undefined until it is loaded; the stream does not wait for it. */
  video: DetailedVideo | undefined
  traffic: Traffic
  autoplays?: boolean
  isEmbedded?: boolean
  className?: string | undefined
  children?: ReactNode
}) {
  const { startSeconds, endSeconds } = clip
  const videoId = clip.video._id
  const player = useRef<PlayerHandle>(null)
  const [isCovered, show] = useCover(clip.video)
  const part = useMemo(() => partOf({ startSeconds, endSeconds }), [startSeconds, endSeconds])
  const hasCounted = useRef(false)

  // Only playback counts as a view, not opening the page.
  function countOnce() {
    if (hasCounted.current) return
    hasCounted.current = true
    recordVideoView(videoId).catch((error: unknown) => console.error('The view was not recorded', error))
  }

  if (isCovered)
    return (
      <Suspense>
        <PlayerCover className={className} video={clip.video} onShow={show} />
      </Suspense>
    )
  return (
    <VideoPlayer
      key={clip._id}
      ref={player}
      className={className}
      streamUrl={streamUrlOf(videoId)}
      // as a whole it has other frames and chapters, and other devices would play all of it
      details={
        video && {
          ...detailsOf(video),
          title: clip.title,
          durationSeconds: endSeconds - startSeconds,
          storyboardUrl: null,
          chapters: [],
          introId: undefined,
          outroId: undefined,
          isPublic: false,
        }
      }
      startSeconds={() => startSeconds}
      part={part}
      autoplays={autoplays}
      isEmbedded={isEmbedded}
      onPosition={countOnce}
      onWatched={(watched) => reportWatched(videoId, watched, traffic)}
    >
      <Bounds player={player} startSeconds={startSeconds} endSeconds={endSeconds} />
      {children}
    </VideoPlayer>
  )
}

/** Keeps the player in the clip, whatever moves it. */
function Bounds({
  player,
  startSeconds,
  endSeconds,
}: {
  player: RefObject<PlayerHandle | null>
  startSeconds: number
  endSeconds: number
}) {
  useEffect(() => {
    const media = player.current?.media()
    return media ? keepWithin(media, { startSeconds, endSeconds }) : undefined
  }, [player, startSeconds, endSeconds])
  return null
}
