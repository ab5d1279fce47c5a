import type Hls from 'hls.js'
import { createStream, isGone, library } from './hls-library.ts'

/** A stream whose player is not there yet, once the library is; nobody waits for one for longer than this. */
let early: { streamUrl: string; video: HTMLVideoElement; begun?: BegunStream } | undefined
const EARLY_MS = 10_000

type BegunStream = { HlsClass: typeof Hls; stream: Hls; isAttached: boolean }

/**
 * Begins a stream, from its beginning on, before the page that plays it is drawn or beside that: in a video element that is
 * on no page yet, for the player that opens it next. Nothing happens where the browser plays in another way.
 *
 * Settles once the browser is at work on the first pictures, which needs nothing of the page, or something is in the way.
 */
export async function openStreamEarly(streamUrl: string): Promise<void> {
  takeEarly()?.begun?.stream.destroy()
  const opening: typeof early = { streamUrl, video: createVideo() }
  early = opening
  const giveUp = () => {
    if (early === opening) takeEarly()?.begun?.stream.destroy()
  }
  setTimeout(giveUp, EARLY_MS)
  const { default: HlsClass } = await library
  if (early !== opening || !HlsClass.isSupported()) return
  const { Events } = HlsClass
  const stream = createStream(HlsClass, { startFragPrefetch: true })
  const begun = { HlsClass, stream, isAttached: false }
  opening.begun = begun
  await new Promise<void>((resolve) => {
    // At once: a player that took it now would hear nothing of this error. It looks for itself, and says what it finds.
    const fail = () => {
      giveUp()
      resolve()
    }
    // What the library tries again by itself is no reason to ask for everything anew.
    stream.on(Events.ERROR, (_event, { fatal, response }) => {
      if (fatal || isGone(response?.code)) fail()
    })
    // What cannot be decoded is told by the element alone.
    opening.video.addEventListener('error', fail, { once: true })
    stream.once(Events.MEDIA_ATTACHED, () => {
      begun.isAttached = true
    })
    stream.once(Events.BUFFER_APPENDED, () => resolve())
    stream.loadSource(streamUrl)
    stream.attachMedia(opening.video)
  })
}

/** The element in which a stream is to play: where it was opened early, the one in which it has begun. */
export function videoFor(streamUrl: string): HTMLVideoElement {
  return early?.streamUrl === streamUrl ? early.video : createVideo()
}

function createVideo(): HTMLVideoElement {
  const video = document.createElement('video')
  video.playsInline = true
  return video
}

/** The library, where a stream is begun that nobody has taken yet. */
export function libraryOfEarly(): typeof Hls | undefined {
  return early?.begun?.HlsClass
}

/** What has begun at its beginning in this element, for whoever wants to play from there. Whatever else was begun is ended. */
export function takeBegun(video: HTMLVideoElement, startSeconds: number): BegunStream | undefined {
  const taken = takeEarly()
  if (taken?.video === video && startSeconds === 0) return taken.begun
  taken?.begun?.stream.destroy()
  return undefined
}

/** What was opened early is left to nobody else, whoever takes it. */
function takeEarly(): typeof early {
  const taken = early
  early = undefined
  return taken
}
