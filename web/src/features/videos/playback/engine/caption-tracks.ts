import type { PlaybackEvent } from '../state/playback-state.ts'
import { loadPreferences, savePreferences } from '../state/preferences.ts'

function captionTracks(video: HTMLVideoElement): TextTrack[] {
  return [...video.textTracks].filter(({ kind }) => kind === 'captions' || kind === 'subtitles')
}

export function showCaptions(
  video: HTMLVideoElement,
  shownCaptions: number | null,
  report: (event: PlaybackEvent) => void,
) {
  const tracks = captionTracks(video)
  for (const [index, track] of tracks.entries()) track.mode = index === shownCaptions ? 'showing' : 'disabled'
  report({ type: 'captions', captions: tracks.map(({ label }) => label), shownCaptions })
}

/** Index of the track in the last chosen language, else the first; null if captions are off. */
export function rememberedCaptions(video: HTMLVideoElement): number | null {
  const { showsCaptions, captionsLanguage } = loadPreferences()
  return showsCaptions ? preferredCaptions(video, captionsLanguage) : null
}

function preferredCaptions(video: HTMLVideoElement, wanted: string | undefined): number {
  return Math.max(
    0,
    captionTracks(video).findIndex(({ language }) => language === wanted),
  )
}

export function chooseCaptions(
  video: HTMLVideoElement,
  index: number | null,
  report: (event: PlaybackEvent) => void,
) {
  const language = index === null ? undefined : captionTracks(video)[index]?.language
  savePreferences({
    showsCaptions: index !== null,
    // Keeps the language when captions are turned off and on again.
    ...(language && { captionsLanguage: language }),
  })
  showCaptions(video, index, report)
}

export function toggleCaptions(video: HTMLVideoElement, report: (event: PlaybackEvent) => void) {
  const tracks = captionTracks(video)
  if (tracks.length === 0) return
  const isShown = tracks.some(({ mode }) => mode === 'showing')
  const next = isShown ? null : preferredCaptions(video, loadPreferences().captionsLanguage)
  savePreferences({ showsCaptions: next !== null })
  showCaptions(video, next, report)
}
