// iPhones have no full screen but that of the video element itself.
type ApplePhoneVideo = HTMLVideoElement & {
  webkitEnterFullscreen?: () => void
  webkitDisplayingFullscreen?: boolean
}

/** Whether the player fills the screen. */
export function isFullScreen(region: HTMLElement | null, video: HTMLVideoElement): boolean {
  const isOwn = document.fullscreenElement !== null && document.fullscreenElement === region
  return isOwn || (video as ApplePhoneVideo).webkitDisplayingFullscreen === true
}

/** Fills the screen with the player, controls included, or gives it back. */
export async function toggleFullScreen(region: HTMLElement | null, video: HTMLVideoElement): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else if (region?.requestFullscreen) await region.requestFullscreen({ navigationUI: 'hide' })
    else (video as ApplePhoneVideo).webkitEnterFullscreen?.()
  } catch {
    // Refused, as inside a frame that may not: nothing changes.
  }
}

/** Calls back when full screen begins or ends, in either way. */
export function onFullScreenChange(video: HTMLVideoElement, signal: AbortSignal, onChange: () => void): void {
  document.addEventListener('fullscreenchange', onChange, { signal })
  video.addEventListener('webkitbeginfullscreen', onChange, { signal })
  video.addEventListener('webkitendfullscreen', onChange, { signal })
}
