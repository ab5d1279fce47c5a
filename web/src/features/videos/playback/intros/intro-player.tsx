import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { SkipForward } from 'lucide-react'
import { type RefObject, useDeferredValue, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { streamUrlOf } from '../engine/stream-url.ts'
import type { Player } from '../state/player.ts'
import { formatClock } from '../state/player-time.ts'
import { usePlayback } from '../use-playback.ts'
import { introQuery } from './api.ts'
import { followVideo, type IntroPlayback } from './intro-part.ts'
import { isPausedByViewer } from './intro-state.ts'
import styles from './intro-player.module.css'

/** One that does not load for this long is left out. */
const STALL_LIMIT_MS = 6000

/** An intro or outro over the video, which controls and keys of the player act on, and the button that skips it. */
export function IntroPlayer({
  videoId,
  isIntro,
  video,
  videoPlayer,
  region,
  onChange,
  onLeave,
}: {
  videoId: string
  isIntro: boolean
  /** The element of the video, and its commands: its volume and speed count. */
  video: RefObject<HTMLVideoElement | null>
  videoPlayer: Player
  region: RefObject<HTMLElement | null>
  onChange: (playback: IntroPlayback) => void
  /** Called at its end, when it is skipped, and where it cannot be played. */
  onLeave: (options?: { plays: boolean }) => void
}) {
  const element = useRef<HTMLVideoElement>(null)
  const { data, isError } = useQuery(introQuery(videoId))
  const { state, player } = usePlayback(element, region, {
    streamUrl: streamUrlOf(videoId),
    fileUrl: data?.videoFile,
    startSeconds: () => 0,
    autoplays: true,
  })
  // After `usePlayback`, which applies the saved volume: the browser or the page around may have muted the video.
  useLayoutEffect(() => {
    const follow = () => followVideo(videoPlayer, player)
    follow()
    const listening = new AbortController()
    for (const name of ['volumechange', 'ratechange'])
      video.current?.addEventListener(name, follow, { signal: listening.signal })
    return () => listening.abort()
  }, [video, videoPlayer, player])

  const give = useEffectEvent(onChange)
  useLayoutEffect(() => {
    give({ state, player })
  }, [state, player])

  const leave = useEffectEvent(() => onLeave())
  const isUnplayable = isError || data === null || state.phase === 'failed'
  // The video itself may have the sound that the browser refuses here.
  const isDone = state.isEnded || isUnplayable || state.autoplay !== 'allowed'
  useEffect(() => {
    if (isDone) leave()
  }, [isDone])
  const isStalled = state.isWaiting && !isPausedByViewer(state)
  useEffect(() => {
    if (!isStalled) return
    const timer = setTimeout(() => leave(), STALL_LIMIT_MS)
    return () => clearTimeout(timer)
  }, [isStalled])

  const { currentSeconds, durationSeconds } = state
  const name = isIntro ? t`Intro` : t`Outro`
  // Empty at first, because screen readers report changes of a live region only.
  const announcement = useDeferredValue(t`${name}. The button “Skip” ends it.`, '')
  return (
    <div className={clsx(styles['intro'], state.hasStarted && styles['started'])} data-intro="">
      {/* Its captions are those of the video, if it has any. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video ref={element} aria-label={name} playsInline>
        {data?.captions.map(({ url, language, label }) => (
          <track key={url} kind="subtitles" srcLang={language ?? 'und'} label={label} src={url} />
        ))}
      </video>
      <VisuallyHidden as="div">
        <span role="status">{announcement}</span>
      </VisuallyHidden>
      <div className={styles['row']}>
        <p className={styles['mark']} aria-hidden="true">
          {name}
          {durationSeconds > 0 && (
            <>
              <span>{formatClock(Math.ceil(Math.max(0, durationSeconds - currentSeconds)))}</span>
              <i style={{ scale: `${currentSeconds / durationSeconds} 1` }} />
            </>
          )}
        </p>
        <button
          type="button"
          className={styles['skip']}
          aria-keyshortcuts="ArrowRight"
          title={`${t`Skip`} (→)`}
          onClick={() => onLeave({ plays: true })}
        >
          {t`Skip`}
          <Icon of={SkipForward} size={18} isFilled />
        </button>
      </div>
    </div>
  )
}
