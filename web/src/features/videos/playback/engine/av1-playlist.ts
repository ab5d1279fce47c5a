import type Hls from 'hls.js'
import type { HlsConfig, Loader, LoaderContext, PlaylistLoaderConstructor } from 'hls.js'

/** The AV1 playlist of a video, with its largest rendition. */
export type Av1Offer = {
  url: string
  codecs: string
  width: number
  height: number
  /** Frames per second. */
  framerate: number
  /** Bits per second. */
  bitrate: number
}

/** Reads the offer from the `Link` header of the ordinary playlist; undefined if there is none. */
export function parseAv1Offer(link: string | null, playlistUrl: string): Av1Offer | undefined {
  const target = /^<([^>]+)>/.exec(link ?? '')?.[1]
  if (link === null || target === undefined) return undefined
  const parameter = (name: string) => new RegExp(`; ${name}="?([^";]+)`).exec(link)?.[1] ?? ''
  return {
    url: new URL(target, playlistUrl).href,
    codecs: parameter('codecs'),
    width: Number(parameter('width')),
    height: Number(parameter('height')),
    framerate: Number(parameter('framerate')),
    bitrate: Number(parameter('bitrate')),
  }
}

/** Whether this device decodes the renditions of an offer without dropping frames or draining its battery. */
async function decodesEfficiently({ codecs, width, height, framerate, bitrate }: Av1Offer): Promise<boolean> {
  const contentType = `video/mp4; codecs="${codecs}"`
  const video = { contentType, width, height, framerate, bitrate }
  const found = await navigator.mediaCapabilities.decodingInfo({ type: 'media-source', video })
  return found.supported && found.smooth && found.powerEfficient
}

/** The ordinary playlist is used if choosing and loading the AV1 one takes longer. */
const MAX_CHOICE_MS = 5000

/** Loads the AV1 playlist; undefined if this device should play the ordinary one. */
async function loadAv1(offer: Av1Offer): Promise<string | undefined> {
  try {
    if (!(await decodesEfficiently(offer))) return undefined
    const response = await fetch(offer.url)
    return response.ok ? await response.text() : undefined
  } catch {
    // a browser without `mediaCapabilities`, or a lost connection
    return undefined
  }
}

/**
 * Options with a playlist loader that returns the AV1 playlist in place of the ordinary one, where the server offers it and
 * this device decodes it efficiently. The choice is made once, because hls.js never changes between codecs by itself.
 * `onAv1` is called when AV1 is chosen. Streams without AV1 load as before.
 */
export function av1LoaderOf({ DefaultConfig }: typeof Hls, onAv1: () => void): Partial<HlsConfig> {
  class PlaylistLoader extends DefaultConfig.loader {
    #isDestroyed = false

    override load(...[context, config, callbacks]: Parameters<Loader<LoaderContext>['load']>) {
      super.load(context, config, {
        ...callbacks,
        onSuccess: (response, stats, loaded, request) => {
          const link = request instanceof XMLHttpRequest ? request.getResponseHeader('link') : null
          const offer = parseAv1Offer(link, response.url)
          const choose = async (available: Av1Offer) => {
            const late = new Promise<undefined>((resolve) => setTimeout(resolve, MAX_CHOICE_MS))
            const data = await Promise.race([loadAv1(available), late])
            if (this.#isDestroyed) return
            if (data !== undefined) onAv1()
            const chosen = data === undefined ? response : { ...response, url: available.url, data }
            callbacks.onSuccess(chosen, stats, loaded, request)
          }
          if (offer) void choose(offer)
          else callbacks.onSuccess(response, stats, loaded, request)
        },
      })
    }

    override destroy() {
      this.#isDestroyed = true
      super.destroy()
    }
  }
  // The loader of hls.js is declared for any context, that of playlists for theirs.
  return { pLoader: PlaylistLoader as PlaylistLoaderConstructor }
}
