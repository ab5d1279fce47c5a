import type { PlaybackState } from './playback-state.ts'
import type { StreamStats } from './playback-stats.ts'

/** Commands of the player. The object is stable for the lifetime of the component. */
export type Player = {
  togglePlay: () => void
  play: () => void
  pause: () => void
  seekTo: (seconds: number) => void
  seekBy: (seconds: number) => void
  /** From 0 to 1; 0 mutes. Unmuting restores `previousVolume`, by default the last audible volume. */
  setVolume: (volume: number, previousVolume?: number) => void
  /** Sets a volume that is not saved, from 0 to 1; 0 mutes. */
  setTemporaryVolume: (volume: number) => void
  changeVolume: (step: number) => void
  toggleMute: () => void
  setRate: (rate: number) => void
  changeRate: (direction: 1 | -1) => void
  /** Sets a rate that is not saved. */
  setTemporaryRate: (rate: number) => void
  setLoop: (isOn: boolean) => void
  stepFrame: (direction: 1 | -1) => void
  chooseRendition: (index: number | null) => void
  chooseAudioTrack: (index: number) => void
  setDataSaver: (isOn: boolean) => void
  toggleCaptions: () => void
  /** Index of a caption track, or null for none. */
  chooseCaptions: (index: number | null) => void
  togglePictureInPicture: () => void
  toggleFullScreen: () => void
  retry: () => void
  /** Reads technical values of the element and its stream. The page of a video loads what does it on request. */
  readStats: <Stats>(
    read: (media: HTMLVideoElement, stream: StreamStats | undefined) => Stats,
  ) => Stats | undefined
  currentSeconds: () => number
  /** Values of the element, which the state reflects only after the next event. */
  currentState: () => Pick<PlaybackState, 'isPaused' | 'volume' | 'isMuted' | 'rate'> | undefined
}

/** Commands of the player for the page around it. */
export type PlayerHandle = {
  seekTo: (seconds: number) => void
  currentSeconds: () => number
  /** The element that plays, for what follows or leads it. */
  media: () => HTMLVideoElement | null
  /** Calls `listener` whenever the position may have changed, until the returned function is called. */
  onTime: (listener: () => void) => () => void
}
