import type { PlaybackEvent } from '../state/playback-state.ts'
import { loadPreferences } from '../state/preferences.ts'
import { rememberedCaptions, showCaptions } from './caption-tracks.ts'
import { isFullScreen, onFullScreenChange } from './full-screen.ts'

/** Reports the events of a video element and applies the saved preferences to it. Returns a function that unbinds. */
export function bindVideoEvents(
  video: HTMLVideoElement,
  region: HTMLElement | null,
  autoplays: boolean,
  report: (event: PlaybackEvent) => void,
): () => void {
  const bound = new AbortController()
  const on = (name: string, handle: () => void, target: EventTarget = video) =>
    target.addEventListener(name, handle, { signal: bound.signal })
  video.autoplay = autoplays
  const { volume, isMuted, rate } = loadPreferences()
  video.volume = volume
  video.muted = isMuted
  video.defaultPlaybackRate = rate
  video.playbackRate = rate

  on('play', () => report({ type: 'play-requested' }))
  on('playing', () => report({ type: 'playing' }))
  on('pause', () => report({ type: 'paused' }))
  on('waiting', () => report({ type: 'waiting' }))
  on('seeking', () => report({ type: 'seeking', seconds: video.currentTime }))
  // A paused video that seeks to its end fires no `ended` event.
  on('seeked', () => report({ type: video.ended ? 'ended' : 'seeked' }))
  on('ended', () => report({ type: 'ended' }))
  on('timeupdate', () => report({ type: 'time', seconds: video.currentTime }))
  on('durationchange', () => report({ type: 'duration', seconds: video.duration }))
  on('progress', () => report({ type: 'buffered', ranges: rangesOf(video.buffered) }))
  on('volumechange', () => report({ type: 'volume', volume: video.volume, isMuted: video.muted }))
  on('ratechange', () => report({ type: 'rate', rate: video.playbackRate }))
  on('enterpictureinpicture', () => report({ type: 'picture-in-picture', isOn: true }))
  on('leavepictureinpicture', () => report({ type: 'picture-in-picture', isOn: false }))
  const showRememberedCaptions = () => showCaptions(video, rememberedCaptions(video), report)
  on('addtrack', showRememberedCaptions, video.textTracks)
  // Tracks that the element already has fire no `addtrack`.
  showRememberedCaptions()
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
