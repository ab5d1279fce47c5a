import { type RefObject, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { mediaFailure, openStream, type Stream } from './engine/hls-stream.ts'
import { isFullScreen, onFullScreenChange, toggleFullScreen } from './engine/full-screen.ts'
import { loudnessAfterStep, loudnessAt, type Loudness } from './state/volume-state.ts'
import {
  clampSeconds,
  initialPlayback,
  nextRate,
  playbackAfter,
  type PlaybackEvent,
  type PlaybackState,
} from './state/playback-state.ts'
import { loadPreferences, savePreferences } from './state/preferences.ts'

/** What can be done with the player. The same object for its whole life. */
export type Player = {
  togglePlay: () => void
  play: () => void
  pause: () => void
  seekTo: (seconds: number) => void
  seekBy: (seconds: number) => void
  /** From 0 to 1; 0 mutes, and unmuting returns to `heardBefore`, without which to what was heard last. */
  setVolume: (volume: number, heardBefore?: number) => void
  changeVolume: (step: number) => void
  toggleMute: () => void
  setRate: (rate: number) => void
  changeRate: (direction: 1 | -1) => void
  stepFrame: (direction: 1 | -1) => void
  chooseRung: (index: number | null) => void
  chooseSound: (index: number) => void
  toggleCaptions: () => void
  /** One of the tracks, or null for none. */
  chooseCaptions: (index: number | null) => void
  togglePictureInPicture: () => void
  toggleFullScreen: () => void
  retry: () => void
  /** Seconds, as of now. */
  currentSeconds: () => number
  /** What the state tells a moment later. */
  now: () => Pick<PlaybackState, 'isPaused' | 'volume' | 'isMuted' | 'rate'> | undefined
}

export type PlaybackSource = {
  streamUrl: string
  fileUrl: string | undefined
  /** Where to begin, asked when the stream is opened. */
  startSeconds: () => number
  /** Opens the stream at once and plays; otherwise both wait for the first press. */
  autoplays: boolean
}

/** Binds a video element and its stream to the state of the player. */
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
  const [isWanted, setWanted] = useState(source.autoplays)
  const stream = useRef<Stream>(undefined)
  const latest = useRef(source)
  const [file] = useState(deferredText)
  // The stream needs nothing of the page but the element: it is opened before the page is laid out, drawn and brought to life.
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
    if (!autoplays) beginAt(element, latest.current.startSeconds())
    return bindVideo(element, region.current, autoplays, report)
  }, [video, region])

  useLayoutEffect(() => {
    const element = video.current
    if (!element || !isWanted) return
    // Where one was before a fault, or has gone before the first press.
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
  }, [video, source.streamUrl, isWanted, attempt, file])

  const player = useMemo<Player>(() => {
    const act = (action: (element: HTMLVideoElement) => void) => () => {
      if (video.current) action(video.current)
    }
    const play = act((element) => {
      setWanted(true)
      // Refused or interrupted: the state follows from the events.
      if (element.readyState > 0 || element.src) element.play().catch(() => undefined)
    })
    const seekTo = (seconds: number) =>
      act((element) => {
        // Before its length is known, the element takes this as the place to begin.
        const isKnown = !Number.isNaN(element.duration)
        const wasEnded = element.ended
        element.currentTime = clampSeconds(seconds, isKnown ? element.duration : Infinity)
        if (!isKnown) report({ type: 'time', seconds: element.currentTime })
        // Whoever goes back from the end wants to see it again.
        if (wasEnded) play()
      })()
    const setLoudness = (choose: (before: Loudness) => Loudness) =>
      act((element) => {
        const before = { volume: element.volume, isMuted: element.muted }
        const next = choose(before)
        // What the browser muted is not what a person chose.
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
      setVolume: (asked, heardBefore) =>
        setLoudness(({ volume }) => loudnessAt(asked, heardBefore ?? volume)),
      changeVolume: (step) => setLoudness((before) => loudnessAfterStep(before, step)),
      toggleMute: () => setLoudness(({ volume, isMuted }) => ({ volume, isMuted: !isMuted })),
      setRate,
      changeRate: (direction) => act((element) => setRate(nextRate(element.playbackRate, direction)))(),
      stepFrame: (direction) =>
        act((element) => {
          if (!element.paused) return
          const frameSeconds = stream.current?.frameSeconds() ?? 1 / 25
          element.currentTime = clampSeconds(element.currentTime + direction * frameSeconds, element.duration)
        })(),
      chooseRung: (index) => stream.current?.chooseRung(index),
      chooseSound: (index) => stream.current?.chooseSound(index),
      toggleCaptions: act((element) => toggleCaptions(element, report)),
      chooseCaptions: (index) => act((element) => chooseCaptions(element, index, report))(),
      togglePictureInPicture: act((element) => void togglePictureInPicture(element)),
      toggleFullScreen: act((element) => void toggleFullScreen(region.current, element)),
      retry: () => {
        setWanted(true)
        setAttempt((before) => before + 1)
      },
      currentSeconds: () => video.current?.currentTime ?? 0,
      now: () =>
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

/** Taken as the place to begin by an element that has nothing to play yet, and as the one that a seek goes on from. */
function beginAt(video: HTMLVideoElement, seconds: number) {
  video.currentTime = seconds
}

function deferredText() {
  let resolve: (text: string) => void = () => {}
  const promise = new Promise<string>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** Plays with sound; where the browser refuses that, without; where it refuses even that, says so. */
async function startPlaying(video: HTMLVideoElement, report: (event: PlaybackEvent) => void) {
  try {
    await video.play()
  } catch (error) {
    if (!isRefusal(error)) return
    const wasMuted = video.muted
    video.muted = true
    try {
      await video.play()
      report({ type: 'autoplay', autoplay: wasMuted ? 'allowed' : 'muted' })
    } catch (secondError) {
      if (!isRefusal(secondError)) return
      video.muted = wasMuted
      // Its attribute would start it later, without anybody having asked for it.
      video.pause()
      report({ type: 'autoplay', autoplay: 'refused' })
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotAllowedError'
}

function bindVideo(
  video: HTMLVideoElement,
  region: HTMLElement | null,
  autoplays: boolean,
  report: (event: PlaybackEvent) => void,
): () => void {
  const bound = new AbortController()
  const on = (name: string, handle: () => void, target: EventTarget = video) =>
    target.addEventListener(name, handle, { signal: bound.signal })
  // Not set where an element is made: a stream that is opened early must not be heard before its page is there.
  video.autoplay = autoplays
  const { volume, isMuted, rate } = loadPreferences()
  video.volume = volume
  video.muted = isMuted
  video.defaultPlaybackRate = rate
  video.playbackRate = rate

  on('play', () => report({ type: 'play-wanted' }))
  on('playing', () => report({ type: 'playing' }))
  on('pause', () => report({ type: 'paused' }))
  on('waiting', () => report({ type: 'waiting' }))
  on('seeking', () => report({ type: 'seeking', seconds: video.currentTime }))
  // A paused video that is taken to its end is over, and says so to whoever asks only.
  on('seeked', () => report({ type: video.ended ? 'ended' : 'seeked' }))
  on('ended', () => report({ type: 'ended' }))
  on('timeupdate', () => report({ type: 'time', seconds: video.currentTime }))
  on('durationchange', () => report({ type: 'duration', seconds: video.duration }))
  on('progress', () => report({ type: 'buffered', ranges: rangesOf(video.buffered) }))
  on('volumechange', () => report({ type: 'volume', volume: video.volume, isMuted: video.muted }))
  on('ratechange', () => report({ type: 'rate', rate: video.playbackRate }))
  on('error', () => {
    // Media Source reports its own errors; this is the browser playing by itself.
    if (video.src && !video.src.startsWith('blob:')) report({ type: 'failed', failure: mediaFailure })
  })
  on('enterpictureinpicture', () => report({ type: 'picture-in-picture', isOn: true }))
  on('leavepictureinpicture', () => report({ type: 'picture-in-picture', isOn: false }))
  const showRemembered = () => showCaptions(video, rememberedCaptions(video), report)
  on('addtrack', showRemembered, video.textTracks)
  // Those that came with the element itself.
  showRemembered()
  // An element that has begun before there was a player told nobody.
  if (video.readyState > 0) {
    report({ type: 'duration', seconds: video.duration })
    report({ type: 'buffered', ranges: rangesOf(video.buffered) })
  }
  onFullScreenChange(video, bound.signal, () =>
    report({ type: 'full-screen', isOn: isFullScreen(region, video) }),
  )
  return () => bound.abort()
}

function rangesOf(ranges: TimeRanges) {
  return Array.from({ length: ranges.length }, (_, index) => ({
    startSeconds: ranges.start(index),
    endSeconds: ranges.end(index),
  }))
}

function captionTracks(video: HTMLVideoElement): TextTrack[] {
  return [...video.textTracks].filter(({ kind }) => kind === 'captions' || kind === 'subtitles')
}

function showCaptions(
  video: HTMLVideoElement,
  shownCaption: number | null,
  report: (event: PlaybackEvent) => void,
) {
  const tracks = captionTracks(video)
  for (const [index, track] of tracks.entries()) track.mode = index === shownCaption ? 'showing' : 'disabled'
  report({ type: 'captions', captions: tracks.map(({ label }) => label), shownCaption })
}

/** The track in the language that was chosen last, else the first; null where none is wanted. */
function rememberedCaptions(video: HTMLVideoElement): number | null {
  const { showsCaptions, captionsLanguage } = loadPreferences()
  return showsCaptions ? preferredCaptions(video, captionsLanguage) : null
}

function preferredCaptions(video: HTMLVideoElement, wanted: string | undefined): number {
  return Math.max(
    0,
    captionTracks(video).findIndex(({ language }) => language === wanted),
  )
}

function chooseCaptions(
  video: HTMLVideoElement,
  index: number | null,
  report: (event: PlaybackEvent) => void,
) {
  const language = index === null ? undefined : captionTracks(video)[index]?.language
  savePreferences({
    showsCaptions: index !== null,
    // Turned off and on again, they are in the same language.
    ...(language && { captionsLanguage: language }),
  })
  showCaptions(video, index, report)
}

function toggleCaptions(video: HTMLVideoElement, report: (event: PlaybackEvent) => void) {
  const tracks = captionTracks(video)
  if (tracks.length === 0) return
  const isShown = tracks.some(({ mode }) => mode === 'showing')
  const next = isShown ? null : preferredCaptions(video, loadPreferences().captionsLanguage)
  savePreferences({ showsCaptions: next !== null })
  showCaptions(video, next, report)
}

async function togglePictureInPicture(video: HTMLVideoElement) {
  try {
    if (document.pictureInPictureElement === video) await document.exitPictureInPicture()
    else await video.requestPictureInPicture()
  } catch {
    // Refused by the browser, or no picture yet: nothing changes.
  }
}
