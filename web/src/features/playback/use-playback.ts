import { type RefObject, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { startPlaying } from './engine/autoplay.ts'
import { chooseCaptions, toggleCaptions } from './engine/caption-tracks.ts'
import { toggleFullScreen } from './engine/full-screen.ts'
import { openStream, type Stream } from './engine/hls-stream.ts'
import { togglePictureInPicture } from './engine/picture-in-picture.ts'
import { bindVideoEvents } from './engine/video-events.ts'
import { volumeAfterStep, volumeAt, type VolumeState } from './state/volume-state.ts'
import {
  clampSeconds,
  initialPlayback,
  nextRate,
  playbackAfter,
  type PlaybackState,
} from './state/playback-state.ts'
import type { Player } from './state/player.ts'
import { loadPreferences, savePreferences } from './state/preferences.ts'

export type PlaybackSource = {
  streamUrl: string
  fileUrl: string | undefined
  /** Start position, read when the stream is opened. */
  startSeconds: () => number
  /** Opens the stream immediately and plays; otherwise both wait for the first click. */
  autoplays: boolean
}

/** Connects a video element and its stream to the state of the player. */
export function usePlayback(
  video: RefObject<HTMLVideoElement | null>,
  region: RefObject<HTMLElement | null>,
  source: PlaybackSource,
): { state: PlaybackState; player: Player } {
  const [state, report] = useReducer(playbackAfter, undefined, () => {
    const { volume, isMuted, rate } = loadPreferences()
    return { ...initialPlayback, volume, isMuted, rate, currentSeconds: source.startSeconds() }
  })
  const [attempt, setAttempt] = useState(0)
  const [isRequested, setRequested] = useState(source.autoplays)
  const stream = useRef<Stream>(undefined)
  const latest = useRef(source)
  const [file] = useState(deferredText)
  // Layout effects: the stream needs only the element, so it opens before the first paint.
  useLayoutEffect(() => {
    latest.current = source
  })

  useEffect(() => {
    if (source.fileUrl) file.resolve(source.fileUrl)
  }, [file, source.fileUrl])

  useLayoutEffect(() => {
    const element = video.current
    if (!element) return
    const { autoplays } = latest.current
    if (!autoplays) setStartPosition(element, latest.current.startSeconds())
    return bindVideoEvents(element, region.current, autoplays, report)
  }, [video, region])

  useLayoutEffect(() => {
    const element = video.current
    if (!element || !isRequested) return
    // Position before a failure, or a seek before the first click.
    const resumeSeconds = attempt > 0 || !latest.current.autoplays ? element.currentTime : 0
    report({ type: 'opened' })
    const opened = openStream({
      video: element,
      streamUrl: source.streamUrl,
      fileUrl: file.promise,
      startSeconds: () => resumeSeconds || latest.current.startSeconds(),
      report,
      onReady: () => void startPlaying(element, report),
    })
    stream.current = opened
    return () => {
      const measured = opened.bandwidthBps()
      if (measured) savePreferences({ bandwidthBps: Math.round(measured) })
      opened.close()
    }
  }, [video, source.streamUrl, isRequested, attempt, file])

  const player = useMemo<Player>(() => {
    const act = (action: (element: HTMLVideoElement) => void) => () => {
      if (video.current) action(video.current)
    }
    const play = act((element) => {
      setRequested(true)
      // Refused or interrupted: the element's events update the state.
      if (element.readyState > 0 || element.src) element.play().catch(() => undefined)
    })
    const seekTo = (seconds: number) =>
      act((element) => {
        // Before the duration is known, the element uses this as its start position.
        const isKnown = !Number.isNaN(element.duration)
        const wasEnded = element.ended
        element.currentTime = clampSeconds(seconds, isKnown ? element.duration : Infinity)
        if (!isKnown) report({ type: 'time', seconds: element.currentTime })
        // Seeking back from the end resumes playback.
        if (wasEnded) play()
      })()
    const changeVolumeState = (choose: (before: VolumeState) => VolumeState) =>
      act((element) => {
        const before = { volume: element.volume, isMuted: element.muted }
        const next = choose(before)
        // Does not save a mute that the browser applied.
        if (next === before) return
        element.volume = next.volume
        element.muted = next.isMuted
        savePreferences(next)
      })()
    const setRate = (rate: number) =>
      act((element) => {
        element.playbackRate = rate
        savePreferences({ rate })
      })()
    return {
      play,
      pause: act((element) => element.pause()),
      togglePlay: act((element) => (element.paused || element.ended ? play() : element.pause())),
      seekTo,
      seekBy: (seconds) => seekTo((video.current?.currentTime ?? 0) + seconds),
      setVolume: (asked, previousVolume) =>
        changeVolumeState(({ volume }) => volumeAt(asked, previousVolume ?? volume)),
      changeVolume: (step) => changeVolumeState((before) => volumeAfterStep(before, step)),
      toggleMute: () => changeVolumeState(({ volume, isMuted }) => ({ volume, isMuted: !isMuted })),
      setRate,
      changeRate: (direction) => act((element) => setRate(nextRate(element.playbackRate, direction)))(),
      stepFrame: (direction) =>
        act((element) => {
          if (!element.paused) return
          const frameSeconds = stream.current?.frameSeconds() ?? 1 / 25
          element.currentTime = clampSeconds(element.currentTime + direction * frameSeconds, element.duration)
        })(),
      chooseRendition: (index) => stream.current?.chooseRendition(index),
      chooseAudioTrack: (index) => stream.current?.chooseAudioTrack(index),
      toggleCaptions: act((element) => toggleCaptions(element, report)),
      chooseCaptions: (index) => act((element) => chooseCaptions(element, index, report))(),
      togglePictureInPicture: act((element) => void togglePictureInPicture(element)),
      toggleFullScreen: act((element) => void toggleFullScreen(region.current, element)),
      retry: () => {
        setRequested(true)
        setAttempt((before) => before + 1)
      },
      currentSeconds: () => video.current?.currentTime ?? 0,
      currentState: () =>
        video.current
          ? {
              isPaused: video.current.paused,
              volume: video.current.volume,
              isMuted: video.current.muted,
              rate: video.current.playbackRate,
            }
          : undefined,
    }
  }, [video, region])

  return { state, player }
}

/** Sets the default playback start position of an element without a source; seeks are relative to it. */
function setStartPosition(video: HTMLVideoElement, seconds: number) {
  video.currentTime = seconds
}

function deferredText() {
  let resolve: (text: string) => void = () => {}
  const promise = new Promise<string>((settle) => (resolve = settle))
  return { promise, resolve }
}
