import type { Part } from '../range/part.ts'
import type { PlaybackState } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import type { IntroState } from './intro-state.ts'

/** The player of an intro or outro; undefined until it is mounted. */
export type IntroPlayback = { state: PlaybackState; player: Player } | undefined

/** The state of the player: the times are those of the video, whether something plays is that of its intro or outro. */
const stateDuring = (video: PlaybackState, shown: IntroPlayback): PlaybackState => ({
  ...video,
  hasStarted: true,
  isEnded: false,
  isPaused: shown?.state.isPaused ?? false,
  isWaiting: shown?.state.isWaiting ?? true,
  stallReason: shown?.state.stallReason ?? null,
})

/** Target of commands at the moment, which they may read before the next render. */
export interface IntroTarget {
  state: IntroState
  shown: IntroPlayback
  /** Ends the intro or outro. The video after an intro plays unless the viewer has paused the intro, or as `plays` says. */
  leave: (options?: { plays: boolean }) => void
}

/**
 * The player of a video with an intro and an outro: its commands act on what plays. Seeking forward skips, and seeking to a place
 * in the video goes there. The object stays the same.
 */
export function playerAround(video: Player, target: { readonly current: IntroTarget }): Player {
  const isShown = () => 'videoId' in target.current.state
  const shown = () => (isShown() ? target.current.shown?.player : video)
  const isPaused = () => shown()?.currentState()?.isPaused ?? false
  const play = () => shown()?.play()
  const pause = () => {
    // an element without a first frame may start in spite of it
    if (isShown() && !target.current.shown?.state.hasStarted) target.current.leave({ plays: false })
    else shown()?.pause()
  }
  /** A command for the video and what plays in place of it. Browsers ask for a gesture, so that both follow immediately. */
  const both =
    <Values extends unknown[]>(command: (...values: Values) => void) =>
    (...values: Values) => {
      command(...values)
      if (isShown()) followVideo(video, target.current.shown?.player)
    }
  return {
    ...video,
    play,
    pause,
    togglePlay: () => {
      if (!isShown()) video.togglePlay()
      else if (isPaused()) play()
      else pause()
    },
    seekTo: (seconds) => {
      target.current.leave()
      video.seekTo(seconds)
    },
    seekBy: (seconds) => {
      const { phase } = target.current.state
      if (!isShown()) return video.seekBy(seconds)
      if (phase === 'intro' && seconds < 0) return shown()?.seekTo(0)
      target.current.leave()
      if (seconds < 0) video.seekBy(seconds)
    },
    stepFrame: (direction) => {
      if (!isShown()) video.stepFrame(direction)
    },
    setVolume: both(video.setVolume),
    setTemporaryVolume: both(video.setTemporaryVolume),
    changeVolume: both(video.changeVolume),
    toggleMute: both(video.toggleMute),
    setRate: both(video.setRate),
    changeRate: both(video.changeRate),
    setTemporaryRate: both(video.setTemporaryRate),
    currentState: () => {
      const state = video.currentState()
      return state && { ...state, isPaused: isPaused() }
    },
  }
}

/** Applies volume and speed of the video to what plays in place of it. */
export function followVideo(video: Player, shown: Player | undefined): void {
  const state = video.currentState()
  if (!state) return
  shown?.setTemporaryVolume(state.isMuted ? 0 : state.volume)
  shown?.setTemporaryRate(state.rate)
}

/** The player of a video with an intro and an outro, as a part of the whole. */
export const introPart = ({ phase }: IntroState, shown: IntroPlayback, player: Player): Part => ({
  isBeforeStart: phase === 'waiting' || phase === 'intro',
  stateOf: (video) => {
    if (phase === 'intro' || phase === 'outro') return stateDuring(video, shown)
    // the outro is decided on right after this
    return phase === 'video' && video.isEnded ? { ...video, isEnded: false } : video
  },
  playerOf: () => player,
})
