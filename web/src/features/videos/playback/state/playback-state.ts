import type { EnginePhase, StallReason } from './engine-state.ts'
import type { Rendition } from './renditions.ts'

export type BufferedRange = { startSeconds: number; endSeconds: number }

/** State of the player's UI. A pure function of events, so that it can be tested without a video element. */
export type PlaybackState = {
  /** A first frame has been shown. */
  hasStarted: boolean
  isPaused: boolean
  /** Playing, but stalled for lack of data. */
  isWaiting: boolean
  isEnded: boolean
  /** Phase of the engine; `failed` until the viewer tries again. */
  phase: EnginePhase
  stallReason: StallReason | null
  /** `muted`: the browser allows muted autoplay only. `refused`: not even that. */
  autoplay: 'allowed' | 'muted' | 'refused'
  currentSeconds: number
  durationSeconds: number
  buffered: readonly BufferedRange[]
  /** From 0 to 1. */
  volume: number
  isMuted: boolean
  rate: number
  isLooping: boolean
  /** Highest first. */
  renditions: readonly Rendition[]
  /** Index of the chosen rendition, or null for Auto. */
  chosenRendition: number | null
  /** Index of the displayed rendition. */
  playingRendition: number | null
  /** Labels of the audio tracks. */
  audioTracks: readonly string[]
  /** Index of the active audio track, or -1 while unknown. */
  chosenAudioTrack: number
  /** Labels of the caption tracks. */
  captions: readonly string[]
  /** Index of the shown track, or null for none. */
  shownCaptions: number | null
  isPictureInPicture: boolean
  isFullScreen: boolean
}

export type PlaybackEvent =
  | { type: 'opened' }
  | { type: 'play-requested' }
  | { type: 'playing' }
  | { type: 'paused' }
  | { type: 'waiting' }
  | { type: 'seeking'; seconds: number }
  | { type: 'seeked' }
  | { type: 'ended' }
  | { type: 'engine'; phase: EnginePhase; stallReason: StallReason | null }
  | { type: 'autoplay'; autoplay: PlaybackState['autoplay'] }
  | { type: 'time'; seconds: number }
  | { type: 'duration'; seconds: number }
  | { type: 'buffered'; ranges: readonly BufferedRange[] }
  | { type: 'volume'; volume: number; isMuted: boolean }
  | { type: 'rate'; rate: number }
  | { type: 'loop'; isOn: boolean }
  | { type: 'renditions'; renditions: readonly Rendition[] }
  | { type: 'rendition-chosen'; rendition: number | null }
  | { type: 'rendition-playing'; rendition: number }
  | { type: 'audio-tracks'; audioTracks: readonly string[]; chosenAudioTrack: number }
  | { type: 'captions'; captions: readonly string[]; shownCaptions: number | null }
  | { type: 'picture-in-picture'; isOn: boolean }
  | { type: 'full-screen'; isOn: boolean }

export const initialPlayback: PlaybackState = {
  hasStarted: false,
  isPaused: true,
  isWaiting: false,
  isEnded: false,
  phase: 'loading',
  stallReason: null,
  autoplay: 'allowed',
  currentSeconds: 0,
  durationSeconds: 0,
  buffered: [],
  volume: 1,
  isMuted: false,
  rate: 1,
  isLooping: false,
  renditions: [],
  chosenRendition: null,
  playingRendition: null,
  audioTracks: [],
  chosenAudioTrack: -1,
  captions: [],
  shownCaptions: null,
  isPictureInPicture: false,
  isFullScreen: false,
}

export function playbackAfter(state: PlaybackState, event: PlaybackEvent): PlaybackState {
  switch (event.type) {
    case 'opened':
      return { ...state, phase: 'loading', stallReason: null, isWaiting: true }
    case 'play-requested':
      return { ...state, isPaused: false, isEnded: false, isWaiting: true }
    case 'playing':
      return {
        ...state,
        hasStarted: true,
        isPaused: false,
        isWaiting: false,
        isEnded: false,
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
    case 'engine': {
      const { phase, stallReason } = event
      if (phase === state.phase && stallReason === state.stallReason) return state
      // Before the first frame the element is paused, although it is about to play.
      const wasOpening = state.isWaiting && !state.hasStarted
      const isWaiting =
        phase === 'recovering' ? wasOpening || !state.isPaused : state.isWaiting && phase !== 'failed'
      return { ...state, phase, stallReason, isWaiting }
    }
    case 'autoplay':
      return {
        ...state,
        autoplay: event.autoplay,
        ...(event.autoplay === 'refused' && { isPaused: true, isWaiting: false }),
      }
    case 'time':
      // Advancing time proves that playback is not stalled.
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
    case 'loop':
      return { ...state, isLooping: event.isOn }
    case 'renditions':
      return { ...state, renditions: event.renditions }
    case 'rendition-chosen':
      return { ...state, chosenRendition: event.rendition }
    case 'rendition-playing':
      return { ...state, playingRendition: event.rendition }
    case 'audio-tracks':
      return { ...state, audioTracks: event.audioTracks, chosenAudioTrack: event.chosenAudioTrack }
    case 'captions':
      return { ...state, captions: event.captions, shownCaptions: event.shownCaptions }
    case 'picture-in-picture':
      return { ...state, isPictureInPicture: event.isOn }
    case 'full-screen':
      return { ...state, isFullScreen: event.isOn }
  }
}

/** Playback speeds in the menu. */
export const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** The next speed up or down; stays at the ends. */
export function nextRate(rate: number, direction: 1 | -1): number {
  const next =
    direction === 1 ? rates.find((each) => each > rate + 0.01) : rates.findLast((each) => each < rate - 0.01)
  return next ?? rate
}

/** The duration to display: the stated one, unless the stream differs by more than rounding. */
export function displayDuration(streamSeconds: number, statedSeconds = 0): number {
  const isRounding = Math.abs(streamSeconds - statedSeconds) < 1
  return streamSeconds === 0 || isRounding ? statedSeconds || streamSeconds : streamSeconds
}

/** The position to display. At the end it equals the duration, whatever the rounding of the last frame. */
export function displaySeconds({ isEnded, currentSeconds }: PlaybackState, durationSeconds: number): number {
  const isPast = durationSeconds > 0 && currentSeconds > durationSeconds
  return isEnded || isPast ? durationSeconds : currentSeconds
}

export function clampSeconds(seconds: number, durationSeconds: number): number {
  if (!Number.isFinite(seconds)) return 0
  return Math.min(Math.max(0, seconds), durationSeconds)
}

/** Whether what is left of a video is so short that it counts as watched. */
export function isNearEnd(positionSeconds: number, durationSeconds: number | undefined): boolean {
  return positionSeconds >= 10 && resumeSeconds(positionSeconds, durationSeconds) === 0
}

/** The position to resume from; 0 near the start and, where the duration is known, near the end. */
export function resumeSeconds(positionSeconds: number, durationSeconds: number | undefined): number {
  const endSeconds =
    durationSeconds === undefined ? Infinity : durationSeconds - Math.max(10, durationSeconds * 0.03)
  return positionSeconds >= 10 && positionSeconds <= endSeconds ? positionSeconds : 0
}
