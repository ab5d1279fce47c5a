/** Safari's AirPlay, which is older than the Remote Playback API. */
interface AirPlayVideo extends HTMLVideoElement {
  webkitShowPlaybackTargetPicker?: () => void
}

/** A video element that plays a stream on another device: by the Remote Playback API, else by AirPlay. */
export function createRemoteVideo(streamUrl: string): HTMLVideoElement {
  const video = document.createElement('video')
  video.controls = true
  video.preload = 'none'
  video.playsInline = true
  // A device does not know the address of the page.
  video.src = new URL(streamUrl, location.href).href
  return video
}

/** Calls `listener` with whether there is a device, until the returned function is called. */
export function watchDevices(video: HTMLVideoElement, listener: (isAvailable: boolean) => void): () => void {
  const watching = new AbortController()
  if ('webkitShowPlaybackTargetPicker' in video) {
    video.addEventListener(
      'webkitplaybacktargetavailabilitychanged',
      (event) => listener('availability' in event && event.availability === 'available'),
      { signal: watching.signal },
    )
    return () => watching.abort()
  }
  const { remote } = video
  remote
    .watchAvailability((isAvailable) => {
      if (!watching.signal.aborted) listener(isAvailable)
    })
    // Some browsers cannot watch, and find devices when asked only: https://www.w3.org/TR/remote-playback/#the-prompt-method
    .catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotSupportedError') listener(true)
    })
  return () => {
    watching.abort()
    remote.cancelWatchAvailability().catch(() => undefined)
  }
}

/** Lets the viewer choose a device. Rejects if none was chosen. */
export async function chooseDevice(video: AirPlayVideo): Promise<void> {
  if (video.webkitShowPlaybackTargetPicker) video.webkitShowPlaybackTargetPicker()
  else await video.remote.prompt()
}

/** Calls `onConnected` and `onDisconnected` as a device takes and leaves the video. */
export function followDevice(
  video: HTMLVideoElement,
  { onConnected, onDisconnected }: { onConnected: () => void; onDisconnected: () => void },
): () => void {
  const following = new AbortController()
  const { signal } = following
  if ('webkitShowPlaybackTargetPicker' in video)
    video.addEventListener(
      'webkitcurrentplaybacktargetiswirelesschanged',
      () =>
        'webkitCurrentPlaybackTargetIsWireless' in video && video.webkitCurrentPlaybackTargetIsWireless
          ? onConnected()
          : onDisconnected(),
      { signal },
    )
  else {
    video.remote.addEventListener('connect', onConnected, { signal })
    video.remote.addEventListener('disconnect', onDisconnected, { signal })
  }
  return () => following.abort()
}

/** Plays from a position, as soon as the device can. */
export function playFrom(video: HTMLVideoElement, seconds: number): void {
  video.currentTime = seconds
  video.play().catch(() => undefined)
}
