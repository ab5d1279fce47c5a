import { loadPreferences } from './preferences.ts'
import { startRung } from './rungs.ts'

/**
 * Brings what a stream begins with into the browser's cache, while the page that plays it is still being drawn. What
 * fails here is asked for again by the player.
 */
export async function preloadStream(streamUrl: string): Promise<void> {
  const masterUrl = new URL(streamUrl, location.href)
  const playlists = playlistsToBeginWith(await fetchText(masterUrl), loadPreferences().bandwidthBps)
  await Promise.all(playlists.map((uri) => preloadPlaylist(new URL(uri, masterUrl))))
}

async function preloadPlaylist(url: URL): Promise<void> {
  const files = filesToBeginWith(await fetchText(url))
  // read to their ends: the cache keeps nothing else
  await Promise.all(files.map(async (uri) => (await fetch(new URL(uri, url))).arrayBuffer()))
}

async function fetchText(url: URL): Promise<string> {
  return (await fetch(url)).text()
}

/** Of a master playlist: the rung that the player chooses first, and the sound. */
export function playlistsToBeginWith(master: string, bandwidthBps: number | undefined): string[] {
  const variants = [...master.matchAll(/^#EXT-X-STREAM-INF:(.*)\n(.+)$/gm)].map(
    ([, attributes = '', uri = '']) => ({
      bitrateBps: Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(attributes)?.[1]),
      height: Number(/RESOLUTION=\d+x(\d+)/.exec(attributes)?.[1]),
      uri,
    }),
  )
  const rungs = variants.map((variant, index) => ({ ...variant, index }))
  const rung = rungs[startRung(rungs, 0, bandwidthBps)]?.uri
  const sound = /^#EXT-X-MEDIA:.*DEFAULT=YES.*URI="([^"]+)"/m.exec(master)?.[1]
  return [rung, sound].filter((uri) => uri !== undefined)
}

/** Of the playlist of a rung: its header and its first segment. */
export function filesToBeginWith(playlist: string): string[] {
  const header = /^#EXT-X-MAP:.*URI="([^"]+)"/m.exec(playlist)?.[1]
  const segment = /^[^#\s].*$/m.exec(playlist)?.[0]
  return [header, segment].filter((uri) => uri !== undefined)
}
