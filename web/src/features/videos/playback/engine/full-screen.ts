// iPhones support full screen for video elements only.
type ApplePhoneVideo = HTMLVideoElement & {
  webkitEnterFullscreen?: () => void
  webkitDisplayingFullscreen?: boolean
}

export function isFullScreen(region: HTMLElement | null, video: HTMLVideoElement): boolean {
  const isOwn = document.fullscreenElement !== null && document.fullscreenElement === region
  return isOwn || (video as ApplePhoneVideo).webkitDisplayingFullscreen === true
}

/** Enters full screen with the controls where the browser allows it, or leaves it. */
export async function toggleFullScreen(region: HTMLElement | null, video: HTMLVideoElement): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else if (region?.requestFullscreen) await region.requestFullscreen({ navigationUI: 'hide' })
    else (video as ApplePhoneVideo).webkitEnterFullscreen?.()
  } catch {
    // The browser may refuse, for example inside an iframe without permission: nothing changes.
  }
}

/** Calls back when the player or its video element enters or leaves full screen. */
export function onFullScreenChange(video: HTMLVideoElement, signal: AbortSignal, onChange: () => void): void {
  document.addEventListener('fullscreenchange', onChange, { signal })
  video.addEventListener('webkitbeginfullscreen', onChange, { signal })
  video.addEventListener('webkitendfullscreen', onChange, { signal })
}
