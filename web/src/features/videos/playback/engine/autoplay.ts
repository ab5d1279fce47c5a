import type { PlaybackEvent } from '../state/playback-state.ts'

/** Starts playback: with sound, else muted, else reports that the browser refused both. */
export async function startPlaying(video: HTMLVideoElement, report: (event: PlaybackEvent) => void) {
  try {
    await video.play()
  } catch (error) {
    if (!isRefusal(error)) return
    const wasMuted = video.muted
    video.muted = true
    try {
      await video.play()
    } catch (secondError) {
      if (isRefusal(secondError)) {
        video.muted = wasMuted
        // The `autoplay` attribute would start it later without a request of the viewer.
        video.pause()
        return report({ type: 'autoplay', autoplay: 'refused' })
      }
    }
    // Also where it was paused before it played: it is muted.
    report({ type: 'autoplay', autoplay: wasMuted ? 'allowed' : 'muted' })
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotAllowedError'
}
