import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { startPlaying } from './engine/autoplay.ts'
import { openStream, type Stream } from './engine/hls-stream.ts'
import type { PlaybackEvent } from './state/playback-state.ts'
import { savePreferences } from './state/preferences.ts'

export type PlaybackSource = {
  streamUrl: string
  fileUrl: string | undefined
  /** Start position, read when the stream is opened. */
  startSeconds: () => number
  /** Opens the stream immediately and plays; otherwise both wait for the first request. */
  autoplays: boolean
  /** Opens the stream immediately, without playing. */
  opensPaused?: boolean
}

/** The stream of a video element, and what opens it: the first request to play, and another attempt after a failure. */
export type StreamAccess = {
  stream: RefObject<Stream | undefined>
  open: () => void
  reopen: () => void
}

/** Opens the stream of a source in a video element, and closes it with the component. */
export function useStream(
  video: RefObject<HTMLVideoElement | null>,
  { streamUrl, fileUrl, startSeconds, autoplays, opensPaused = false }: PlaybackSource,
  report: (event: PlaybackEvent) => void,
): StreamAccess {
  const [attempt, setAttempt] = useState(0)
  const [isRequested, setRequested] = useState(autoplays || opensPaused)
  const [file] = useState(deferredText)
  const stream = useRef<Stream>(undefined)
  const firstSeconds = useEffectEvent(startSeconds)
  const isAutomatic = useEffectEvent(() => autoplays)

  useEffect(() => {
    if (fileUrl) file.resolve(fileUrl)
  }, [file, fileUrl])

  // A layout effect: the stream needs only the element, so it opens before the first paint.
  useLayoutEffect(() => {
    const element = video.current
    if (!element || !isRequested) return
    // Position before a failure, or a seek before the first click.
    const fromSeconds = attempt > 0 || !isAutomatic() ? element.currentTime : 0
    report({ type: 'opened' })
    const opened = openStream({
      video: element,
      streamUrl,
      fileUrl: file.promise,
      startSeconds: () => fromSeconds || firstSeconds(),
      report,
      onReady: () => (opensPaused ? report({ type: 'paused' }) : void startPlaying(element, report)),
    })
    stream.current = opened
    const saveBandwidth = () => {
      const measured = opened.bandwidthBps()
      if (measured) savePreferences({ bandwidthBps: Math.round(measured) })
    }
    // Leaving the site runs no clean-up.
    addEventListener('pagehide', saveBandwidth)
    return () => {
      removeEventListener('pagehide', saveBandwidth)
      saveBandwidth()
      opened.close()
    }
  }, [video, streamUrl, isRequested, opensPaused, attempt, file, report])

  const open = useCallback(() => setRequested(true), [])
  const reopen = useCallback(() => {
    setRequested(true)
    setAttempt((before) => before + 1)
  }, [])
  return { stream, open, reopen }
}

function deferredText() {
  let resolve: (text: string) => void = () => {}
  const promise = new Promise<string>((settle) => (resolve = settle))
  return { promise, resolve }
}
