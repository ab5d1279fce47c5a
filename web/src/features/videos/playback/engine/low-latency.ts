import type Hls from 'hls.js'
import { savesData } from '../state/preferences.ts'
import { isPassthrough } from './hls-library.ts'
import { keepNear } from './live-edge.ts'
import { endWithStream } from './live-end.ts'
import { FAST_BPS } from './start-bandwidth.ts'

/** Lines are fast enough for playback close to the end of a live stream if they carry it so many times. */
const FAST_RATIO = 2
/** Playback further behind the end has been paused or rewound. */
const CLOSE_SECONDS = 6
/** The distance of playlists without partial segments: see `secondsBehind` of the server. */
const SEGMENTS_BEHIND = 2
const LATE_SECONDS = 0.5

const plain = /(\/source|\/audio-0)\/index\.m3u8$/
const close = /(\/source|\/audio-0)\/low-latency\.m3u8$/

/**
 * Plays the original of a live stream closer to its end, in partial segments, where the line is fast. The first time that
 * playback runs dry there, or changes to a rendition, it gets the distance of other players, and plays on with what is
 * buffered. Viewers who have paused or rewound get the playlists of other players, which are loaded less often. Viewers who
 * want to return to the end are close to it again.
 */
export function followClosely(stream: Hls, HlsClass: typeof Hls, video: HTMLVideoElement): void {
  const { Events } = HlsClass
  const original = stream.levels.find(isPassthrough)
  let usesParts = false
  endWithStream(stream, HlsClass, video)
  // before the listeners below: a viewer who returns to the end is no longer far from it
  const moveTo = keepNear(stream, HlsClass, video, enter)

  /** Changes the addresses of the original and of its sound, from their next load on. */
  function replaceUrls(from: RegExp, to: string) {
    for (const { url } of stream.levels) url[0] = url[0]?.replace(from, to) ?? ''
    for (const track of stream.allAudioTracks) track.url = track.url.replace(from, to)
  }

  const isClose = (edge: number) => edge - video.currentTime <= CLOSE_SECONDS
  const isPlaying = () => !video.seeking && video.played.length > 0

  function enter() {
    const level = stream.levels[stream.loadLevel] ?? stream.levels[stream.startLevel]
    if (savesData() || !original || level !== original) return
    if (bandwidthOf(stream) < original.bitrate * FAST_RATIO) return
    usesParts = true
    replaceUrls(plain, '$1/low-latency.m3u8')
  }

  function leave() {
    usesParts = false
    replaceUrls(close, '$1/index.m3u8')
  }

  function keepAway(segments: number) {
    const details = stream.latestLevelDetails
    if (!usesParts || !details?.partList || !isPlaying() || !isClose(details.edge)) return
    leave()
    const longest = Math.max(...details.fragments.slice(-segments - 1).map(({ duration }) => duration))
    const seconds = details.fragmentEnd - segments * longest - LATE_SECONDS
    if (seconds < video.currentTime) moveTo(Math.max(details.fragmentStart, seconds))
  }

  const stopped = new AbortController()
  video.addEventListener('waiting', () => keepAway(SEGMENTS_BEHIND), { signal: stopped.signal })
  stream.on(Events.LEVEL_SWITCHING, (_event, { level }) => {
    if (!usesParts || stream.levels[level] === original) return
    // their playlists end a segment earlier
    keepAway(SEGMENTS_BEHIND + 1)
    leave()
  })
  stream.on(Events.LEVEL_UPDATED, (_event, { details }) => {
    if (usesParts && isPlaying() && !isClose(details.edge)) leave()
  })
  stream.once(Events.DESTROYING, () => stopped.abort())
  enter()
}

/** A fast connection has no estimate before the first stream. */
const bandwidthOf = ({ bandwidthEstimate, config }: Hls) =>
  bandwidthEstimate === config.abrEwmaDefaultEstimate ? FAST_BPS : bandwidthEstimate
