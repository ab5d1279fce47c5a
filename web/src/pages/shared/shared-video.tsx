import { t } from '@lingui/core/macro'
import type { SharedVideo } from '@kinora/contract/videos/share-links.ts'
import { ScrollText } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { ChapterList } from '../../features/videos/playback/chapters/chapter-list.tsx'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import { countSharedView } from '../../features/videos/share-links/api.ts'
import { PlayerCover } from '../../features/videos/videos/covers/covers.ts'
import { VideoDescription } from '../../features/videos/videos/details/video-description.tsx'
import { withMessages } from '../../lib/i18n/messages.ts'
import { useCover } from '../../lib/sensitive.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { detailsOf } from '../watch/video-details.ts'
import styles from './shared-page.module.css'

const TranscriptPanel = lazy(async () => ({
  default: (await import('../../features/videos/playback/transcript/transcript-panel.tsx')).TranscriptPanel,
}))

const SharedChat = lazy(async () => ({
  default: (await withMessages('pages', () => import('./shared-chat.tsx'))).SharedChat,
}))

/** Steps of the player in a list. */
type Queue = Pick<ComponentProps<typeof VideoPlayer>, 'queue' | 'endCard'>

/** A video of a link, with what belongs to it. `children` follow it. */
export function SharedVideoPage({
  video,
  visit,
  queue,
  endCard,
  children,
}: { video: SharedVideo; visit: string; children?: ReactNode } & Queue) {
  const player = useRef<PlayerHandle>(null)
  const [hasTranscript, setTranscript] = useState(false)
  const seek = (seconds: number) => {
    player.current?.seekTo(seconds)
    scrollTo({ top: 0 })
  }
  const href = () => location.search + location.hash
  return (
    <article className={styles['page']}>
      <PageTitle title={video.title} />
      <SharedPlayer ref={player} className={styles['player']} video={video} queue={queue} endCard={endCard} />
      {video.hasChat && (
        <Suspense>
          <SharedChat videoId={video._id} visit={visit} player={player} />
        </Suspense>
      )}
      {hasTranscript && (
        <div className={styles['transcript']}>
          <Suspense>
            <TranscriptPanel
              tracks={video.captions}
              player={player}
              onSeek={(seconds) => player.current?.seekTo(seconds)}
              onClose={() => setTranscript(false)}
            />
          </Suspense>
        </div>
      )}
      <div className={styles['info']}>
        <h1 className={styles['title']} dir="auto">
          {video.title}
        </h1>
        <p className={styles['owner']}>
          <bdi>{video.videoOwner.fullname}</bdi>
        </p>
        <VideoDescription
          video={{ ...video, videoFile: video.videoFile ?? '' }}
          times={{ durationSeconds: video.duration, href, onSeek: seek }}
        />
        {video.captions.length > 0 && (
          <Button aria-expanded={hasTranscript} onClick={() => setTranscript(!hasTranscript)}>
            <Icon of={ScrollText} />
            {t`Transcript`}
          </Button>
        )}
        <ChapterList chapters={video.chapters} player={player} href={href} onSeek={seek} />
      </div>
      {children}
    </article>
  )
}

/** The player, once the viewer has chosen to see a video with sensitive content. */
export function SharedPlayer({
  video,
  className,
  ...player
}: { video: SharedVideo } & Pick<
  ComponentProps<typeof VideoPlayer>,
  'ref' | 'className' | 'autoplays' | 'isEmbedded' | 'queue' | 'endCard'
>) {
  const [isCovered, show] = useCover(video)
  const hasCounted = useRef(false)
  // Only playback counts as a view, not opening the link.
  function countOnce() {
    if (hasCounted.current) return
    hasCounted.current = true
    countSharedView(video).catch((error: unknown) => console.error('The view was not recorded', error))
  }
  if (isCovered)
    return (
      <Suspense>
        <PlayerCover className={className} video={video} onShow={show} />
      </Suspense>
    )
  return (
    <VideoPlayer
      {...player}
      className={className}
      streamUrl={video.streamUrl}
      details={sharedDetails(video)}
      onPosition={countOnce}
    />
  )
}

/** The address of the stream has the visit, so that it needs no session. */
const sharedDetails = (video: SharedVideo) => ({
  ...detailsOf({ ...video, videoFile: video.videoFile ?? '' }),
  isPublic: true,
})
