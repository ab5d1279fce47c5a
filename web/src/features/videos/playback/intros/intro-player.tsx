import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { SkipForward } from 'lucide-react'
import { type RefObject, useDeferredValue, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { streamUrlOf } from '../engine/stream-url.ts'
import { formatClock } from '../state/player-time.ts'
import { usePlayback } from '../use-playback.ts'
import { introQuery } from './api.ts'
import type { IntroPlayback } from './intro-part.ts'
import styles from './intro-player.module.css'

/** One that has not started by then is left out. */
const START_LIMIT_MS = 6000

/** An intro or outro over the video, which controls and keys of the player act on, and the button that skips it. */
export function IntroPlayer({
  videoId,
  isIntro,
  video,
  region,
  onChange,
  onEnd,
}: {
  videoId: string
  isIntro: boolean
  /** The element of the video, whose volume counts. */
  video: RefObject<HTMLVideoElement | null>
  region: RefObject<HTMLElement | null>
  onChange: (playback: IntroPlayback) => void
  /** Called at its end, when it is skipped, and where it cannot be played. */
  onEnd: () => void
}) {
  const element = useRef<HTMLVideoElement>(null)
  const { data } = useQuery(introQuery(videoId))
  const { state, player } = usePlayback(element, region, {
    streamUrl: streamUrlOf(videoId),
    fileUrl: data?.videoFile,
    startSeconds: () => 0,
    autoplays: true,
  })
  // After `usePlayback`, which applies the saved volume: the browser or the page around may have muted the video.
  useLayoutEffect(() => {
    const [own, other] = [element.current, video.current]
    if (!own || !other) return
    const follow = () => {
      own.volume = other.volume
      own.muted = other.muted
    }
    follow()
    other.addEventListener('volumechange', follow)
    return () => other.removeEventListener('volumechange', follow)
  }, [video])

  const give = useEffectEvent(onChange)
  useLayoutEffect(() => {
    give({ state, player })
  }, [state, player])

  const end = useEffectEvent(onEnd)
  // The video itself may have the sound that the browser refuses here.
  const isDone = state.isEnded || state.phase === 'failed' || state.autoplay !== 'allowed'
  useEffect(() => {
    if (isDone || document.hidden || video.current?.remote?.state === 'connected') end()
  }, [isDone, video])
  useEffect(() => {
    if (state.hasStarted) return
    const timer = setTimeout(end, START_LIMIT_MS)
    return () => clearTimeout(timer)
  }, [state.hasStarted])

  const { currentSeconds, durationSeconds } = state
  const name = isIntro ? t`Intro` : t`Outro`
  // Empty at first, because screen readers report changes of a live region only.
  const announcement = useDeferredValue(t`${name}. Press the right arrow key to skip it.`, '')
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
          onClick={onEnd}
        >
          {t`Skip`}
          <Icon of={SkipForward} size={18} isFilled />
        </button>
      </div>
    </div>
  )
}
