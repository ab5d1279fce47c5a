import { onReached } from '../../../../lib/browser/on-reached.ts'
import type { PlaybackState } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'

/** A part of a video that a player shows as if it were a video of its own. */
export interface Part {
  stateOf: (whole: PlaybackState) => PlaybackState
  playerOf: (whole: Player) => Player
  /** Something else plays first: the position of the video is not reported yet. */
  isBeforeStart?: boolean
}

/** Distance to an edge within which the player counts as being at it. */
const EDGE_SECONDS = 0.1

/** The player of a part: its times begin with the part, and it neither seeks nor plays beyond it. */
export function partOf({ startSeconds, endSeconds }: { startSeconds: number; endSeconds: number }): Part {
  const length = endSeconds - startSeconds
  const within = (seconds: number) => Math.min(Math.max(0, seconds - startSeconds), length)
  const isAtEnd = (seconds: number) => seconds >= endSeconds - EDGE_SECONDS
  return {
    stateOf: (whole) => ({
      ...whole,
      currentSeconds: within(whole.currentSeconds),
      durationSeconds: whole.durationSeconds === 0 ? 0 : length,
      isEnded:
        whole.isEnded ||
        (whole.hasStarted && whole.isPaused && !whole.isWaiting && isAtEnd(whole.currentSeconds)),
      buffered: whole.buffered
        .map((range) => ({
          startSeconds: within(range.startSeconds),
          endSeconds: within(range.endSeconds),
        }))
        .filter((range) => range.endSeconds > range.startSeconds),
    }),
    playerOf: (whole) => {
      const seekTo = (seconds: number) =>
        whole.seekTo(startSeconds + Math.min(Math.max(0, seconds), Math.max(0, length - EDGE_SECONDS)))
      const play = () => {
        if (isAtEnd(whole.currentSeconds())) seekTo(0)
        whole.play()
      }
      return {
        ...whole,
        play,
        togglePlay: () => (whole.currentState()?.isPaused === false ? whole.pause() : play()),
        seekTo,
        seekBy: (seconds) => seekTo(within(whole.currentSeconds()) + seconds),
        currentSeconds: () => within(whole.currentSeconds()),
      }
    },
  }
}

/** Keeps an element in a part: it pauses at the end, or plays again from the start where it loops. Returns what ends that. */
export function keepWithin(
  media: HTMLMediaElement,
  { startSeconds, endSeconds }: { startSeconds: number; endSeconds: number },
): () => void {
  const stop = onReached(media, endSeconds, () => {
    if (media.loop) media.currentTime = startSeconds
    else media.pause()
  })
  // steps of single frames, and a page around that seeks
  const bringBack = () => {
    if (media.currentTime > endSeconds + EDGE_SECONDS) media.currentTime = endSeconds
    else if (media.currentTime < startSeconds - EDGE_SECONDS) media.currentTime = startSeconds
  }
  media.addEventListener('seeked', bringBack)
  return () => {
    media.removeEventListener('seeked', bringBack)
    stop()
  }
}
