import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ApiError } from '@kinora/contract/client.ts'
import type { VideoCut } from '@kinora/contract/videos/cuts.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useChannelOf } from '../../features/videos/collaborators/use-studio-channel.ts'
import { cutQuery } from '../../features/videos/cuts/api.ts'
import { CutEditor } from '../../features/videos/cuts/cut-editor.tsx'
import type { CutPlayer } from '../../features/videos/cuts/cut-player.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import { studioVideoQuery } from '../../features/videos/studio/api.ts'
import { paths } from '../../paths.ts'
import { formatTenths } from '../../lib/format/frame-time.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Status } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './studio-cut-page.module.css'
import pageStyles from './studio-page.module.css'

/** Removes parts of a video, beside the video. */
export function StudioCutPage() {
  const { videoId = '' } = useParams()
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Cut · Studio`} />
      <Cut key={videoId} videoId={videoId} />
    </MembersOnly>
  )
}

function Cut({ videoId }: { videoId: string }) {
  const { data: video } = useQuery(studioVideoQuery(videoId))
  const { data: cut, error, refetch } = useQuery(cutQuery(videoId))
  const { isManager } = useChannelOf(video)
  const handle = useRef<PlayerHandle>(null)
  const player = useMemo<CutPlayer>(
    () => ({
      // Interrupted by a pause: the element's events say so.
      play: () =>
        void handle.current
          ?.media()
          ?.play()
          .catch(() => undefined),
      pause: () => handle.current?.media()?.pause(),
      seekTo: (seconds) => {
        const media = handle.current?.media()
        if (media) media.currentTime = seconds
      },
      currentSeconds: () => handle.current?.currentSeconds() ?? 0,
      isPaused: () => handle.current?.media()?.paused ?? true,
      onTime: (listener) => handle.current?.onTime(listener) ?? (() => undefined),
    }),
    [],
  )
  const file = useDeletedFile(cut)
  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound()} replace />
  return (
    <section aria-labelledby="studio-cut">
      <BackLink to={paths.studioVideo(videoId)}>{t`Back to the video`}</BackLink>
      <h1 className={pageStyles['heading']} id="studio-cut">
        {video ? (
          <Trans>
            Cut: <bdi>{video.title}</bdi>
          </Trans>
        ) : (
          t`Cut`
        )}
      </h1>
      <p className={styles['note']}>
        {t`Viewers see the cut as soon as you publish it. The file stays as it is, and you can undo the cut at any time.`}
      </p>
      {video?.visibility === 'private' && (
        <p className={styles['note']}>
          {t`The video is private, so its cut is, too.`}{' '}
          <Link to={paths.studioVideo(videoId)}>{t`Choose who can watch it`}</Link>
        </p>
      )}
      {file !== undefined && (
        <Status>{t`What was cut is deleted. The file is now ${formatTenths(file)} long.`}</Status>
      )}
      {cut ? (
        // another file is another editor
        <CutEditor
          key={cut.sourceDurationSeconds}
          videoId={videoId}
          cut={cut}
          mayDelete={isManager}
          player={player}
        >
          <VideoPlayer
            ref={handle}
            className={styles['player']}
            streamUrl={cut.uncutStreamUrl}
            autoplays={false}
            opensPaused
          />
        </CutEditor>
      ) : error ? (
        <LoadFailure title={t`Could not load the cut`} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className={styles['player']} />
      )}
    </section>
  )
}

/** Seconds of the file that took the place of one whose removed parts were deleted while the page was open. */
function useDeletedFile(cut: VideoCut | undefined): number | undefined {
  const [before, setBefore] = useState(cut)
  const [seconds, setSeconds] = useState<number>()
  if (cut !== before) {
    setBefore(cut)
    const isOtherFile = before?.sourceDurationSeconds !== cut?.sourceDurationSeconds
    if (before?.deletion?.state === 'running' && isOtherFile) setSeconds(cut?.sourceDurationSeconds)
  }
  return seconds
}
