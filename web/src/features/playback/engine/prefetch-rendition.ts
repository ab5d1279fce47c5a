/** A file that a media playlist names, and when what is in it is shown; the head of all others always is. */
export type Listed = { url: string; fromSeconds: number; toSeconds: number }

/** What a media playlist names, in its order. */
export function readPlaylist(text: string, playlistUrl: string): Listed[] {
  const listed: Listed[] = []
  let [seconds, duration] = [0, 0]
  for (const line of text.split('\n')) {
    const head = /^#EXT-X-MAP:URI="(.+)"$/.exec(line)?.[1]
    if (head) listed.push({ url: new URL(head, playlistUrl).href, fromSeconds: 0, toSeconds: Infinity })
    duration = Number(/^#EXTINF:([\d.]+),/.exec(line)?.[1] ?? duration)
    if (line === '' || line.startsWith('#')) continue
    const url = new URL(line, playlistUrl).href
    listed.push({ url, fromSeconds: seconds, toSeconds: seconds + duration })
    seconds += duration
  }
  return listed
}

/** So much of what is shown next has to be there when a rung takes the place of another. */
const AHEAD_SECONDS = 1
/** So long, at least, it may take to come. */
const PATIENCE_SECONDS = 1
/** A part that is still being made is answered 503 after a while, and asked for again. */
const MAX_TRIES = 5
const RETRY_MS = 700

/**
 * Has a rung brought into the browser's cache for the place where a video is: there the library takes it in a moment.
 * Answers false where it cannot be had, and where the video has gone too far before it came: the next place might be left
 * as soon, and the one after that.
 */
export async function bringRung(
  playlistUrl: string,
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<boolean> {
  const playlist = await fetch(playlistUrl, { signal })
  if (!playlist.ok) return false
  const listed = readPlaylist(await playlist.text(), playlistUrl)
  const seconds = video.currentTime
  const needed = listed.filter(
    ({ fromSeconds, toSeconds }) =>
      fromSeconds < seconds + PATIENCE_SECONDS + AHEAD_SECONDS && toSeconds > seconds,
  )
  const enoughUntil = (needed.at(-1)?.toSeconds ?? 0) - AHEAD_SECONDS
  const bringing = new AbortController()
  const stop = () => bringing.abort()
  const stopBehind = () => {
    if (video.currentTime > enoughUntil) stop()
  }
  signal.addEventListener('abort', stop)
  video.addEventListener('timeupdate', stopBehind)
  try {
    for (const { url } of needed) if (!(await bring(url, bringing.signal))) return false
    return true
  } finally {
    signal.removeEventListener('abort', stop)
    video.removeEventListener('timeupdate', stopBehind)
  }
}

async function bring(url: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const response = await fetch(url, { signal })
    // a cache keeps what was read to its end
    if (response.ok) return (await response.arrayBuffer()).byteLength > 0
    if (response.status !== 503) return false
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    signal.throwIfAborted()
  }
  return false
}
