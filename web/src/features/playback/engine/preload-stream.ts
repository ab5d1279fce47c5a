import type Hls from 'hls.js'
import { createStream, isNotFound, hlsLibrary } from './hls-library.ts'

/** The preloaded stream, which a player takes or a timeout discards. `started` is set once hls.js is loaded. */
let preload: { streamUrl: string; video: HTMLVideoElement; started?: PreloadedStream } | undefined
const PRELOAD_TIMEOUT_MS = 10_000

type PreloadedStream = { HlsClass: typeof Hls; stream: Hls; isAttached: boolean }

/**
 * Starts loading a stream from its beginning into a detached video element, before or while the page renders. The player
 * that opens the same URL takes the element over. Does nothing without Media Source support.
 *
 * Resolves once the first segment is appended or an error occurs.
 */
export async function preloadStream(streamUrl: string): Promise<void> {
  takePreload()?.started?.stream.destroy()
  const opening: typeof preload = { streamUrl, video: createVideo() }
  preload = opening
  const discard = () => {
    if (preload === opening) takePreload()?.started?.stream.destroy()
  }
  setTimeout(discard, PRELOAD_TIMEOUT_MS)
  const { default: HlsClass } = await hlsLibrary
  if (preload !== opening || !HlsClass.isSupported()) return
  const { Events } = HlsClass
  const stream = createStream(HlsClass, { startFragPrefetch: true })
  const started = { HlsClass, stream, isAttached: false }
  opening.started = started
  await new Promise<void>((resolve) => {
    // A player that took the stream after this error would not notice it. It opens its own and reports the error of that.
    const fail = () => {
      discard()
      resolve()
    }
    // hls.js retries errors that are not fatal.
    stream.on(Events.ERROR, (_event, { fatal, response }) => {
      if (fatal || isNotFound(response?.code)) fail()
    })
    // Decoding errors are reported by the element only.
    opening.video.addEventListener('error', fail, { once: true })
    stream.once(Events.MEDIA_ATTACHED, () => {
      started.isAttached = true
    })
    stream.once(Events.BUFFER_APPENDED, () => resolve())
    stream.loadSource(streamUrl)
    stream.attachMedia(opening.video)
  })
}

/** The video element for a stream: the preloaded one if there is one, else a new one. Its stream is taken separately. */
export function takePreloadedVideo(streamUrl: string): HTMLVideoElement {
  return preload?.streamUrl === streamUrl ? preload.video : createVideo()
}

function createVideo(): HTMLVideoElement {
  const video = document.createElement('video')
  video.playsInline = true
  return video
}

/** The class of hls.js if a preloaded stream has loaded it. */
export function preloadedLibrary(): typeof Hls | undefined {
  return preload?.started?.HlsClass
}

/** Takes the stream preloaded in this element, if playback starts at 0. Any other preloaded stream is discarded. */
export function takePreloadedStream(
  video: HTMLVideoElement,
  startSeconds: number,
): PreloadedStream | undefined {
  const taken = takePreload()
  if (taken?.video === video && startSeconds === 0) return taken.started
  taken?.started?.stream.destroy()
  return undefined
}

function takePreload(): typeof preload {
  const taken = preload
  preload = undefined
  return taken
}
