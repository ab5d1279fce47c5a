import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Maximize2, Pause, Play, Volume2, VolumeX, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../../paths.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { usePosition } from '../position/use-position.ts'
import { usePositionReports, useReportOnLeaving } from '../position/use-position-reports.ts'
import { useWatchReports } from '../reports/use-watch-reports.ts'
import { markFinished } from '../up-next/finished-videos.ts'
import { useMediaSession } from '../use-media-session.ts'
import { usePlayback } from '../use-playback.ts'
import { useSleepTimer } from '../use-sleep-timer.ts'
import type { MiniVideo } from './mini-player-context.ts'
import styles from './mini-player.module.css'

/** A video in the corner of a page, from the position at which its own page was left. */
export function MiniPlayer({
  video: { videoId, streamUrl, details, startSeconds, watchLog, onWatched },
  userId,
  onClose,
}: {
  video: MiniVideo
  /** Signed-in viewer: null for visitors, undefined while unknown. */
  userId: string | null | undefined
  onClose: () => void
}) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const region = useRef<HTMLElement>(null)
  const element = useRef<HTMLVideoElement>(null)
  const noHandle = useRef(null)
  // Both before `usePlayback`, whose clean-up resets the position.
  const positionReporter = useReportOnLeaving()
  useWatchReports(element, watchLog, onWatched)
  const { state, player } = usePlayback(element, region, {
    streamUrl,
    fileUrl: details.fileUrl,
    startSeconds: () => startSeconds,
    autoplays: true,
  })
  const { onPosition } = usePosition({
    videoId,
    userId,
    requestedSeconds: startSeconds,
    durationSeconds: details.durationSeconds,
    player: noHandle,
  })
  const sleepTimer = useSleepTimer(state, player.pause)
  usePositionReports(positionReporter, element, state, details.isLive ? undefined : onPosition)
  useMediaSession(player, state, details)
  const onEnded = useEffectEvent(() => {
    sleepTimer.onEnded()
    if (userId !== undefined && !details.isLive) markFinished(client, userId, videoId)
  })
  useEffect(() => {
    if (state.isEnded) onEnded()
  }, [state.isEnded])
  const hasFailed = state.phase === 'failed'
  const isPaused = state.isPaused || hasFailed

  return (
    <section ref={region} className={styles['mini']} aria-label={t`Mini player`}>
      {/* Its captions are those of the video, if it has any. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video ref={element} poster={details.poster} aria-label={details.title} playsInline>
        {details.captions.map(({ url, language, label }) => (
          <track key={url} kind="subtitles" srcLang={language ?? 'und'} label={label} src={url} />
        ))}
      </video>
      <div className={styles['row']}>
        {hasFailed ? (
          <p role="alert">{t`This video cannot be played.`}</p>
        ) : (
          <p dir="auto">{details.title}</p>
        )}
        <button
          type="button"
          aria-label={isPaused ? t`Continue playing` : t`Pause playing`}
          onClick={hasFailed ? player.retry : player.togglePlay}
        >
          <Icon of={isPaused ? Play : Pause} isFilled />
        </button>
        <button
          type="button"
          aria-label={t`Mute`}
          aria-pressed={state.isMuted}
          title={state.isMuted ? t`Unmute` : t`Mute`}
          onClick={player.toggleMute}
        >
          <Icon of={state.isMuted ? VolumeX : Volume2} />
        </button>
        <button
          type="button"
          aria-label={t`Expand the player`}
          title={t`Expand the player`}
          onClick={() => {
            const seconds = Math.floor(player.currentSeconds())
            void navigate(`${paths.watch(videoId)}${seconds > 0 ? `?t=${seconds}` : ''}`)
          }}
        >
          <Icon of={Maximize2} />
        </button>
        <button type="button" aria-label={t`Stop playing`} title={t`Stop playing`} onClick={onClose}>
          <Icon of={X} />
        </button>
      </div>
    </section>
  )
}
