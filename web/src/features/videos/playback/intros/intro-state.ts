import type { PlaybackState } from '../state/playback-state.ts'

/**
 * Where a playback with an intro and an outro is. `waiting`: the video has not started, and its intro comes first. `over`: the video has
 * ended, and its outro does not play any more. The id is that of the decision, even if the page learns of another one.
 */
export type IntroState = { phase: 'waiting' | 'video' | 'over' } | { phase: IntroKind; videoId: string }

export type IntroKind = 'intro' | 'outro'

/** The decision is made once, with what is known at that moment. */
export type IntroEvent =
  | {
      type: 'played'
      introId: string | undefined
      atSeconds: number
      isElsewhere: boolean
      wasShownLately: boolean
    }
  | { type: 'ended'; outroId: string | undefined; isElsewhere: boolean; isLast: boolean }
  /** The intro or outro has ended, was skipped or cannot be played. */
  | { type: 'left' }

/** A video that has played longer before its intro is known goes on without it. */
const LATE_SECONDS = 0.5

export const initialIntroState = (
  introId: string | undefined,
  { isEnded, currentSeconds }: PlaybackState,
): IntroState => {
  if (isEnded) return { phase: 'over' }
  return { phase: introId === undefined || currentSeconds >= LATE_SECONDS ? 'video' : 'waiting' }
}

export function introStateAfter(state: IntroState, event: IntroEvent): IntroState {
  switch (event.type) {
    case 'played': {
      if (state.phase !== 'waiting') return state
      const { introId: videoId, atSeconds, isElsewhere, wasShownLately } = event
      return videoId === undefined || atSeconds >= LATE_SECONDS || isElsewhere || wasShownLately
        ? { phase: 'video' }
        : { phase: 'intro', videoId }
    }
    case 'ended': {
      if (state.phase !== 'video') return state
      const { outroId: videoId, isElsewhere, isLast } = event
      return videoId === undefined || isElsewhere || isLast ? { phase: 'over' } : { phase: 'outro', videoId }
    }
    case 'left':
      if (state.phase === 'intro') return { phase: 'video' }
      return state.phase === 'outro' ? { phase: 'over' } : state
  }
}

/** Whether the viewer has paused it. One that has not started is about to play. */
export const isPausedByViewer = ({ hasStarted, isPaused, isEnded }: PlaybackState): boolean =>
  hasStarted && isPaused && !isEnded
