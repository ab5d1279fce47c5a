import type { Rung } from './renditions.ts'

/** A stretch of the video that is in the buffer, in seconds. */
export type BufferedRange = { startSeconds: number; endSeconds: number }

/** What the player shows; derived from nothing but events, so that it can be tested without a video. */
export type PlaybackState = {
  /** A first frame has been shown. */
  hasStarted: boolean
  isPaused: boolean
  /** Wants to play and cannot, for want of data. */
  isWaiting: boolean
  isEnded: boolean
  /** What keeps the next part of the video away: the way to the server, or that it is still being made. */
  hindrance: Hindrance | null
  /** A sentence for the viewer; null as long as the stream can be played. */
  failure: string | null
  /** `muted`: the browser allows playing without sound only. `refused`: not even that. */
  autoplay: 'allowed' | 'muted' | 'refused'
  currentSeconds: number
  durationSeconds: number
  buffered: readonly BufferedRange[]
  /** From 0 to 1, heard unless muted. */
  volume: number
  isMuted: boolean
  rate: number
  /** Highest first. */
  rungs: readonly Rung[]
  /** The chosen rung, or null for Auto. */
  chosenRung: number | null
  /** The rung on the screen. */
  playingRung: number | null
  /** What each track of sound is called. */
  sounds: readonly string[]
  /** The one that is heard, or -1 while that is not known. */
  chosenSound: number
  /** What each track of captions is called. */
  captions: readonly string[]
  /** Which of them is shown, or null for none. */
  shownCaption: number | null
  isPictureInPicture: boolean
  isFullScreen: boolean
}

export type Hindrance = 'connection' | 'making'

export type PlaybackEvent =
  | { type: 'opened' }
  | { type: 'play-wanted' }
  | { type: 'playing' }
  | { type: 'paused' }
  | { type: 'waiting' }
  | { type: 'seeking'; seconds: number }
  | { type: 'seeked' }
  | { type: 'ended' }
  | { type: 'hindered'; by: Hindrance | null }
  | { type: 'failed'; failure: string }
  | { type: 'autoplay'; autoplay: PlaybackState['autoplay'] }
  | { type: 'time'; seconds: number }
  | { type: 'duration'; seconds: number }
  | { type: 'buffered'; ranges: readonly BufferedRange[] }
  | { type: 'volume'; volume: number; isMuted: boolean }
  | { type: 'rate'; rate: number }
  | { type: 'rungs'; rungs: readonly Rung[] }
  | { type: 'rung-chosen'; rung: number | null }
  | { type: 'rung-playing'; rung: number }
  | { type: 'sounds'; sounds: readonly string[]; chosenSound: number }
  | { type: 'captions'; captions: readonly string[]; shownCaption: number | null }
  | { type: 'picture-in-picture'; isOn: boolean }
  | { type: 'full-screen'; isOn: boolean }

export const initialPlayback: PlaybackState = {
  hasStarted: false,
  isPaused: true,
  isWaiting: false,
  isEnded: false,
  hindrance: null,
  failure: null,
  autoplay: 'allowed',
  currentSeconds: 0,
  durationSeconds: 0,
  buffered: [],
  volume: 1,
  isMuted: false,
  rate: 1,
  rungs: [],
  chosenRung: null,
  playingRung: null,
  sounds: [],
  chosenSound: -1,
  captions: [],
  shownCaption: null,
  isPictureInPicture: false,
  isFullScreen: false,
}

/** The state after an event. */
export function playbackAfter(state: PlaybackState, event: PlaybackEvent): PlaybackState {
  switch (event.type) {
    case 'opened':
      return { ...state, failure: null, hindrance: null, isWaiting: true }
    case 'play-wanted':
      return { ...state, isPaused: false, isEnded: false, isWaiting: true }
    case 'playing':
      return {
        ...state,
        hasStarted: true,
        isPaused: false,
        isWaiting: false,
        isEnded: false,
        failure: null,
        autoplay: state.autoplay === 'refused' ? 'allowed' : state.autoplay,
      }
    case 'paused':
      return { ...state, isPaused: true, isWaiting: false }
    case 'waiting':
      return { ...state, isWaiting: !state.isPaused }
    case 'seeking':
      return { ...state, currentSeconds: event.seconds, isEnded: false, isWaiting: true }
    case 'seeked':
      return { ...state, isWaiting: false }
    case 'ended':
      return { ...state, isEnded: true, isPaused: true, isWaiting: false }
    case 'hindered':
      return event.by === state.hindrance ? state : { ...state, hindrance: event.by }
    case 'failed':
      return { ...state, failure: event.failure, isWaiting: false }
    case 'autoplay':
      return {
        ...state,
        autoplay: event.autoplay,
        ...(event.autoplay === 'refused' && { isPaused: true, isWaiting: false }),
      }
    case 'time':
      // Time that moves is proof that nothing is waited for.
      return {
        ...state,
        currentSeconds: event.seconds,
        isWaiting: state.isWaiting && event.seconds === state.currentSeconds,
      }
    case 'duration':
      return Number.isFinite(event.seconds) ? { ...state, durationSeconds: event.seconds } : state
    case 'buffered':
      return { ...state, buffered: event.ranges }
    case 'volume':
      return {
        ...state,
        volume: event.volume,
        isMuted: event.isMuted,
        autoplay: state.autoplay === 'muted' && !event.isMuted ? 'allowed' : state.autoplay,
      }
    case 'rate':
      return { ...state, rate: event.rate }
    case 'rungs':
      return { ...state, rungs: event.rungs }
    case 'rung-chosen':
      return { ...state, chosenRung: event.rung }
    case 'rung-playing':
      return { ...state, playingRung: event.rung }
    case 'sounds':
      return { ...state, sounds: event.sounds, chosenSound: event.chosenSound }
    case 'captions':
      return { ...state, captions: event.captions, shownCaption: event.shownCaption }
    case 'picture-in-picture':
      return { ...state, isPictureInPicture: event.isOn }
    case 'full-screen':
      return { ...state, isFullScreen: event.isOn }
  }
}

/** Speeds on offer. */
export const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** The next speed up or down; stays at the ends. */
export function nextRate(rate: number, direction: 1 | -1): number {
  const next =
    direction === 1 ? rates.find((each) => each > rate + 0.01) : rates.findLast((each) => each < rate - 0.01)
  return next ?? rate
}

/** The length to show: as the page says it, unless the stream knows better than by a rounding. */
export function shownDuration(streamSeconds: number, statedSeconds = 0): number {
  const isRounding = Math.abs(streamSeconds - statedSeconds) < 1
  return streamSeconds === 0 || isRounding ? statedSeconds || streamSeconds : streamSeconds
}

/** The place to show: the end of a film is its length, however the stream's last moment rounds. */
export function shownSeconds({ isEnded, currentSeconds }: PlaybackState, durationSeconds: number): number {
  const isPast = durationSeconds > 0 && currentSeconds > durationSeconds
  return isEnded || isPast ? durationSeconds : currentSeconds
}

/** A place inside the video; behind its end there is only the end. */
export function clampSeconds(seconds: number, durationSeconds: number): number {
  if (!Number.isFinite(seconds)) return 0
  return Math.min(Math.max(0, seconds), durationSeconds)
}

/** Where to go on watching: nowhere near the start or, as far as that is known, the end, where one would rather begin anew. */
export function resumeSeconds(positionSeconds: number, durationSeconds: number | undefined): number {
  const endSeconds =
    durationSeconds === undefined ? Infinity : durationSeconds - Math.max(10, durationSeconds * 0.03)
  return positionSeconds >= 10 && positionSeconds <= endSeconds ? positionSeconds : 0
}
