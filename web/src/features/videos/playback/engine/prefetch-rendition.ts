/** A file of a media playlist with the time range it covers; an init segment covers everything. */
export type PlaylistEntry = { url: string; fromSeconds: number; toSeconds: number }

export function parseMediaPlaylist(text: string, playlistUrl: string): PlaylistEntry[] {
  const entries: PlaylistEntry[] = []
  let [seconds, duration] = [0, 0]
  for (const line of text.split('\n')) {
    const initSegment = /^#EXT-X-MAP:URI="(.+)"$/.exec(line)?.[1]
    if (initSegment)
      entries.push({ url: new URL(initSegment, playlistUrl).href, fromSeconds: 0, toSeconds: Infinity })
    duration = Number(/^#EXTINF:([\d.]+),/.exec(line)?.[1] ?? duration)
    if (line === '' || line.startsWith('#')) continue
    const url = new URL(line, playlistUrl).href
    entries.push({ url, fromSeconds: seconds, toSeconds: seconds + duration })
    seconds += duration
  }
  return entries
}

/** Required buffer ahead of the position when the rendition is switched. */
const AHEAD_SECONDS = 1
/** Minimum time allowed for prefetching. */
const MIN_FETCH_SECONDS = 1
/** Segments that are still being encoded respond with 503. */
const MAX_TRIES = 5
const RETRY_MS = 700

/**
 * Loads a rendition into the browser's cache for the current position, so that hls.js can switch to it without stalling.
 * Returns false if it is unavailable. Aborts if playback passes the prefetched range first.
 */
export async function prefetchRendition(
  playlistUrl: string,
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<boolean> {
  const playlist = await fetch(playlistUrl, { signal })
  if (!playlist.ok) return false
  const entries = parseMediaPlaylist(await playlist.text(), playlistUrl)
  const seconds = video.currentTime
  const needed = entries.filter(
    ({ fromSeconds, toSeconds }) =>
      fromSeconds < seconds + MIN_FETCH_SECONDS + AHEAD_SECONDS && toSeconds > seconds,
  )
  const enoughUntil = (needed.at(-1)?.toSeconds ?? 0) - AHEAD_SECONDS
  const prefetching = new AbortController()
  const stop = () => prefetching.abort()
  const stopBehind = () => {
    if (video.currentTime > enoughUntil) stop()
  }
  signal.addEventListener('abort', stop)
  video.addEventListener('timeupdate', stopBehind)
  try {
    for (const { url } of needed) if (!(await prefetch(url, prefetching.signal))) return false
    return true
  } finally {
    signal.removeEventListener('abort', stop)
    video.removeEventListener('timeupdate', stopBehind)
  }
}

async function prefetch(url: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const response = await fetch(url, { signal })
    // Browsers cache only responses that were read to the end.
    if (response.ok) return (await response.arrayBuffer()).byteLength > 0
    if (response.status !== 503) return false
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    signal.throwIfAborted()
  }
  return false
}
