import type { Part } from '../range/part.ts'
import type { PlaybackState } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'

/**
 * Where a playback with an intro and an outro is. `waiting`: the video has not started, and its intro comes first. `over`: the outro has
 * been shown, too.
 */
export type IntroPhase = 'waiting' | 'intro' | 'video' | 'over'

export type IntroKind = 'intro' | 'outro'

/** The player of an intro or outro; undefined until it is mounted. */
export type IntroPlayback = { state: PlaybackState; player: Player } | undefined

/** Kind of the video that plays in place of the main one; undefined while that one does. */
export function kindOf(phase: IntroPhase, hasOutro: boolean, video: PlaybackState): IntroKind | undefined {
  if (phase === 'intro') return 'intro'
  // what viewers see elsewhere stays there
  return phase === 'video' && hasOutro && video.isEnded && !video.isPictureInPicture ? 'outro' : undefined
}

/** The state of the player: the times are those of the video, whether something plays is that of its intro or outro. */
const stateDuring = (video: PlaybackState, shown: IntroPlayback): PlaybackState => ({
  ...video,
  hasStarted: true,
  isEnded: false,
  isPaused: shown?.state.isPaused ?? false,
  isWaiting: shown?.state.isWaiting ?? true,
  stallReason: shown?.state.stallReason ?? null,
})

/** Target of commands at the moment. */
export interface IntroTarget {
  kind: IntroKind | undefined
  shown: IntroPlayback
  /** Ends the intro or outro, and continues with what follows. */
  end: () => void
}

/**
 * The player of a video with an intro and an outro: its commands act on what plays. Seeking forward skips, and seeking to a place
 * in the video goes there. The object stays the same.
 */
export function playerAround(video: Player, target: { readonly current: IntroTarget }): Player {
  const shown = () => (target.current.kind === undefined ? video : target.current.shown?.player)
  return {
    ...video,
    play: () => shown()?.play(),
    pause: () => shown()?.pause(),
    togglePlay: () => shown()?.togglePlay(),
    seekTo: (seconds) => {
      if (target.current.kind === 'intro') target.current.end()
      video.seekTo(seconds)
    },
    seekBy: (seconds) => {
      const { kind, end } = target.current
      if (kind !== undefined && seconds > 0) end()
      else if (kind === 'intro') shown()?.seekTo(0)
      else video.seekBy(seconds)
    },
    stepFrame: (direction) => {
      if (target.current.kind === undefined) video.stepFrame(direction)
    },
    currentState: () => {
      const state = video.currentState()
      const { isPaused } = shown()?.currentState() ?? {}
      return state && { ...state, isPaused: isPaused ?? state.isPaused }
    },
  }
}

/** The player of a video with an intro and an outro, as a part of the whole. */
export const introPart = (
  phase: IntroPhase,
  hasOutro: boolean,
  shown: IntroPlayback,
  player: Player,
): Part => ({
  isBeforeStart: phase === 'waiting' || phase === 'intro',
  stateOf: (video) => (kindOf(phase, hasOutro, video) ? stateDuring(video, shown) : video),
  playerOf: () => player,
})
