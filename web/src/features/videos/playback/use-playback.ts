import { type RefObject, useEffectEvent, useLayoutEffect, useReducer } from 'react'
import { bindVideoEvents } from './engine/video-events.ts'
import { initialPlayback, playbackAfter, type PlaybackState } from './state/playback-state.ts'
import type { Player } from './state/player.ts'
import { loadPreferences } from './state/preferences.ts'
import { usePlayer } from './use-player.ts'
import { type PlaybackSource, useStream } from './use-stream.ts'

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
  const bind = useEffectEvent((element: HTMLVideoElement) => {
    if (!source.autoplays) setStartPosition(element, source.startSeconds())
    return bindVideoEvents(element, region.current, source.autoplays, report)
  })
  // Before the stream opens, whose first events would be missed.
  useLayoutEffect(() => {
    if (video.current) return bind(video.current)
  }, [video])
  const stream = useStream(video, source, report)
  const player = usePlayer(video, region, stream, report)
  return { state, player }
}

/** Sets the default playback start position of an element without a source; seeks are relative to it. */
function setStartPosition(video: HTMLVideoElement, seconds: number) {
  video.currentTime = seconds
}
