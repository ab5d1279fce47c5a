import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import type { SharedVideo } from '@kinora/contract/videos/share-links.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, lazy, Suspense, useRef, useState } from 'react'
import { ScrollText } from 'lucide-react'
import { Link, Navigate, useLocation } from 'react-router'
import { ChapterList } from '../../features/videos/playback/chapters/chapter-list.tsx'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { PlayerCover } from '../../features/videos/videos/covers/covers.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import {
  countSharedView,
  linkCheckQuery,
  openLink,
  sharedVideoQuery,
} from '../../features/videos/share-links/api.ts'
import { VideoDescription } from '../../features/videos/videos/details/video-description.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../lib/forms/use-initial-focus.ts'
import { useCover } from '../../lib/sensitive.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { EndpointForm } from '../../ui/forms/endpoint-form.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './shared-page.module.css'
import { detailsOf } from '../watch/video-details.ts'

const TranscriptPanel = lazy(async () => ({
  default: (await import('../../features/videos/playback/transcript/transcript-panel.tsx')).TranscriptPanel,
}))

/** A video by a share link, whose secret follows after `#`, for people without an account. */
export function SharedPage() {
  const { video, gate } = useSharedVideo()
  return video ? <SharedVideoPage video={video} /> : gate
}

/** The player alone, for frames on other sites. */
export function SharedEmbedPage() {
  const { video, gate } = useSharedVideo()
  return (
    <main className={styles['embed']} id="main" tabIndex={-1}>
      {video ? (
        <>
          <PageTitle title={video.title} />
          <SharedPlayer className={styles['fill']} video={video} autoplays={false} isEmbedded />
        </>
      ) : (
        gate
      )}
    </main>
  )
}

/** The video of the link in the address, or what stands between it and the viewer. */
function useSharedVideo(): { video?: SharedVideo | undefined; gate: ReactNode } {
  const secret = useLocation().hash.slice(1)
  const { data: video, error, refetch } = useQuery({ ...sharedVideoQuery(secret), enabled: secret !== '' })
  const client = useQueryClient()
  useQuery({
    ...linkCheckQuery(client, secret, video?.streamUrl ?? ''),
    enabled: video !== undefined && !error,
  })
  if (secret === '') return { gate: <Navigate to={paths.notFound()} replace /> }
  if (!error) return { video, gate: null }
  const isRefused = error instanceof ApiError && error.status < 500
  // a page that plays survives a failure of the network, but not the end of its link
  if (video && !isRefused) return { video, gate: null }
  if (!isRefused)
    return { gate: <LoadFailure title={t`Could not load the video`} onRetry={() => void refetch()} /> }
  return {
    gate: (
      <div className={styles['gate']}>
        <PageTitle title={t`Shared video`} />
        {error.reason === 'share_password_required' ? (
          <PasswordForm secret={secret} />
        ) : (
          <>
            <h1>{failureMessage(error)}</h1>
            <p>{t`Ask the person who sent it to you for a new one.`}</p>
            <Link className={buttonClass('quiet')} to={paths.home()}>{t`Open the site`}</Link>
          </>
        )}
      </div>
    ),
  }
}

function PasswordForm({ secret }: { secret: string }) {
  const client = useQueryClient()
  const element = useInitialFocus()
  const form = useEndpointForm({
    fields: [],
    send: (fields) => openLink(secret, textOf(fields, 'password')),
    onSuccess: (video) => client.setQueryData(sharedVideoQuery(secret).queryKey, video),
  })
  return (
    <EndpointForm ref={element} className={styles['form']} form={form} submit={t`Watch`}>
      <h1>{t`This video has a password`}</h1>
      <PasswordField
        label={t`Password`}
        autoComplete="off"
        hint={t`The person who sent you the link knows it.`}
        {...form.field('password')}
      />
    </EndpointForm>
  )
}

function SharedVideoPage({ video }: { video: SharedVideo }) {
  const player = useRef<PlayerHandle>(null)
  const [hasTranscript, setTranscript] = useState(false)
  const seek = (seconds: number) => {
    player.current?.seekTo(seconds)
    scrollTo({ top: 0 })
  }
  const href = () => location.hash
  return (
    <article className={styles['page']}>
      <PageTitle title={video.title} />
      <SharedPlayer ref={player} className={styles['player']} video={video} />
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
    </article>
  )
}

/** The player, once the viewer has chosen to see a video with sensitive content. */
function SharedPlayer({
  video,
  className,
  ...player
}: { video: SharedVideo } & Pick<
  ComponentProps<typeof VideoPlayer>,
  'ref' | 'className' | 'autoplays' | 'isEmbedded'
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
