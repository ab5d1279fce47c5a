import type Hls from 'hls.js'
import type { ErrorData, LevelLoadedData } from 'hls.js'
import { preloadedLibrary, takePreloadedStream } from './preload-stream.ts'
import { createStream, isNotFound, hlsLibrary, renditionsOf } from './hls-library.ts'
import type { PlaybackEvent } from '../state/playback-state.ts'
import { savePreferences, saveQuality } from '../state/preferences.ts'
import { prefetchRendition } from './prefetch-rendition.ts'
import type { Rendition } from '../state/renditions.ts'

export type StreamOptions = {
  video: HTMLVideoElement
  streamUrl: string
  /** The uploaded file, the last fallback; resolves once the page's data is loaded. */
  fileUrl: Promise<string>
  startSeconds: () => number
  report: (event: PlaybackEvent) => void
  /** Playback can be started. */
  onReady: () => void
}

export type Stream = {
  /** Switches to a rendition once it is prefetched; null for Auto. */
  chooseRendition: (index: number | null) => void
  chooseAudioTrack: (index: number) => void
  /** Duration of a frame; undefined if the frame rate is unknown. */
  frameSeconds: () => number | undefined
  /** Current estimate in bits per second. */
  bandwidthBps: () => number | undefined
  close: () => void
}

export const mediaFailure = 'This video cannot be played in this browser.'

/** Undecodable ranges are skipped, doubling the distance each time: half a minute in total. */
const MAX_DECODE_FAILURES = 6
/** Decoding failures farther apart than this are counted separately. */
const FAR_SECONDS = 20

/** A start time beyond the end, for example in a link to an earlier cut: the video then plays from the beginning. */
const isPastEnd = (seconds: number, durationSeconds: number) => seconds > durationSeconds - 0.5

/** Plays a stream in a video element: by Media Source, else natively, else as the uploaded file. */
export function openStream(options: StreamOptions): Stream {
  const { video, streamUrl, report, onReady } = options
  let hls: Hls | undefined
  let isClosed = false
  let networkFailures = 0
  let mediaFailures = 0
  /** Last position before an error: after one, some browsers report the end as `currentTime`. */
  let positionSeconds: number | undefined
  const notePosition = () => {
    if (!video.error && video.readyState > 0) positionSeconds = video.currentTime
  }
  video.addEventListener('timeupdate', notePosition)
  video.addEventListener('seeking', notePosition)
  /** Last position that could not be decoded, and the number of failures around it. */
  let undecodable = { seconds: 0, failures: 0 }
  /** Position and state when the playlists were reloaded. */
  let reloadedAt: { seconds: number; isPaused: boolean } | undefined
  const startSeconds = () => reloadedAt?.seconds ?? options.startSeconds()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Aborts the prefetch of a chosen rendition. */
  let choosing: AbortController | undefined
  /** Index of the rendition that replaces the displayed one. */
  let replacing: number | undefined

  open().catch((error: unknown) => {
    console.error('Failed to open the stream', error)
    void playFile()
  })

  async function open() {
    // With a preloaded stream nothing is awaited, so playback starts before the first paint.
    const HlsClass =
      preloadedLibrary() ??
      (await hlsLibrary.then(
        (module) => module.default,
        () => null,
      ))
    if (isClosed) return
    // Preferred over native HLS, which Chromium reports but plays poorly.
    if (HlsClass?.isSupported()) openWithMediaSource(HlsClass)
    else if (video.canPlayType('application/vnd.apple.mpegurl') !== '') playNatively(streamUrl)
    else void playFile()
  }

  function openWithMediaSource(HlsClass: typeof Hls) {
    const { Events } = HlsClass
    const opened = takePreloadedStream(video, startSeconds())
    const stream = opened?.stream ?? createStream(HlsClass, { startPosition: startSeconds() || -1 })
    hls = stream
    const onRenditions = () => {
      // The page's data may have changed the start position.
      stream.config.startPosition = startSeconds() || -1
      report({ type: 'renditions', renditions: highestFirst(renditionsOf(stream)) })
      if (!stream.autoLevelEnabled && !choosing)
        report({ type: 'rendition-chosen', rendition: stream.loadLevel })
    }
    stream.on(Events.MANIFEST_PARSED, onRenditions)
    const startWithinDuration = (_event: unknown, { details }: LevelLoadedData) => {
      if (!isPastEnd(startSeconds(), details.totalduration)) return
      // The reloaded playlist is shorter than the position that was saved before.
      if (reloadedAt) reloadedAt.seconds = Math.max(0, details.totalduration - 1)
      stream.startLoad(reloadedAt?.seconds ?? 0)
    }
    stream.once(Events.LEVEL_LOADED, startWithinDuration)
    if (stream.levels.length > 0) onRenditions()
    stream.on(Events.MEDIA_ATTACHED, () => {
      // A new source would start because of the `autoplay` attribute; pausing clears the "can autoplay" flag (HTML).
      if (reloadedAt?.isPaused) video.pause()
      else onReady()
    })
    const onAudioTracks = () =>
      report({
        type: 'audio-tracks',
        audioTracks: stream.audioTracks.map(({ name }) => name),
        chosenAudioTrack: stream.audioTrack,
      })
    stream.on(Events.AUDIO_TRACK_SWITCHING, onAudioTracks)
    if (stream.audioTracks.length > 0) onAudioTracks()
    stream.on(Events.LEVEL_SWITCHED, (_event, { level }) =>
      report({ type: 'rendition-playing', rendition: level }),
    )
    stream.on(Events.FRAG_BUFFERED, (_event, { frag }) => {
      if (frag.level === replacing && frag.start <= video.currentTime && video.currentTime < frag.end) {
        replacing = undefined
        // After replacing the displayed range, browsers decode only from the next keyframe on, unless they seek.
        video.currentTime += 0.000001
      }
      networkFailures = 0
      report({ type: 'stalled', reason: null })
    })
    stream.on(Events.ERROR, (_event, data) => {
      // hls.js would try other renditions first, and retry audio endlessly.
      if (data.frag && isNotFound(data.response?.code) && !reloadedAt) {
        stream.once(Events.LEVEL_LOADED, startWithinDuration)
        return reloadPlaylists(stream)
      }
      // hls.js has returned to Auto because the chosen rendition failed.
      if (stream.autoLevelEnabled && !choosing) report({ type: 'rendition-chosen', rendition: null })
      if (data.type === HlsClass.ErrorTypes.NETWORK_ERROR && data.response)
        report({ type: 'stalled', reason: data.response.code === 503 ? 'encoding' : 'connection' })
      // hls.js has restarted from the browser's `currentTime`, which may be wrong after an error.
      if (data.details === HlsClass.ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET)
        stream.startLoad(positionSeconds ?? startSeconds())
      if (data.fatal) recover(stream, HlsClass, data)
    })
    if (opened) {
      if (stream.currentLevel >= 0) report({ type: 'rendition-playing', rendition: stream.currentLevel })
      if (opened.isAttached) onReady()
      return
    }
    stream.loadSource(streamUrl)
    stream.attachMedia(video)
  }

  function recover(stream: Hls, { ErrorTypes, ErrorDetails }: typeof Hls, data: ErrorData) {
    if (
      data.type === ErrorTypes.MEDIA_ERROR &&
      data.details !== ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR
    ) {
      mediaFailures += 1
      if (mediaFailures > 3) return void playFile()
      if (mediaFailures === 3) stream.swapAudioCodec()
      return stream.recoverMediaError()
    }
    const status = data.response?.code ?? 0
    if (data.type !== ErrorTypes.NETWORK_ERROR || isNotFound(status)) return void playFile()
    // Retries forever: playback continues automatically when the server or the network is back.
    networkFailures += 1
    report({ type: 'waiting' })
    clearTimeout(timer)
    timer = setTimeout(resume, Math.min(4000, 500 * networkFailures))
  }

  /** Recovers from a decoding error: retries at the same position, then skips ahead. */
  function skipUndecodable() {
    if (!hls || video.error?.code !== MediaError.MEDIA_ERR_DECODE) return
    const seconds = positionSeconds ?? startSeconds()
    const endSeconds = Number.isNaN(video.duration) ? Infinity : video.duration - 0.5
    const isElsewhere = Math.abs(seconds - undecodable.seconds) > FAR_SECONDS
    const failures = isElsewhere ? 1 : undecodable.failures + 1
    undecodable = { seconds, failures }
    if (failures > MAX_DECODE_FAILURES) return void playFile()
    hls.recoverMediaError()
    const aheadSeconds = failures > 1 ? 2 ** (failures - 2) : 0
    hls.startLoad(Math.min(seconds + aheadSeconds, endSeconds))
  }
  video.addEventListener('error', skipUndecodable)

  /** Reloads the playlists after a segment is not found: a truncated video is shorter than first announced. */
  function reloadPlaylists(stream: Hls) {
    // One second earlier, so that something remains to play if the video ends here.
    reloadedAt = { seconds: Math.max(0, video.currentTime - 1), isPaused: video.paused }
    report({ type: 'waiting' })
    stream.config.xhrSetup = (request, url) => {
      request.open('GET', url)
      // Cached playlists are outdated.
      if (url.endsWith('.m3u8')) request.setRequestHeader('cache-control', 'no-cache')
    }
    stream.loadSource(streamUrl)
  }

  function resume() {
    if (!hls) return
    clearTimeout(timer)
    if (hls.levels.length === 0) hls.loadSource(streamUrl)
    else hls.startLoad()
  }

  function onOnline() {
    if (networkFailures > 0) resume()
  }
  addEventListener('online', onOnline)

  /** Last fallback: native playback of the uploaded file. */
  async function playFile() {
    closeHls()
    const fileUrl = await options.fileUrl
    if (!isClosed) playNatively(fileUrl)
  }

  function playNatively(url: string) {
    const from = video.currentTime || startSeconds()
    closeHls()
    video.src = url
    if (from > 0) {
      const begin = () => {
        if (!isPastEnd(from, video.duration)) video.currentTime = from
      }
      video.addEventListener('loadedmetadata', begin, { once: true })
    }
    onReady()
  }

  /** Keeps playing the current rendition until the other is prefetched, because encoding it would stall playback. */
  async function switchRendition(stream: Hls, index: number) {
    const { signal } = (choosing = new AbortController())
    const isPrefetched = await prefetchRendition(stream.levels[index]?.uri ?? '', video, signal).catch(
      () => false,
    )
    if (signal.aborted) return
    choosing = undefined
    if (isPrefetched && stream.currentLevel !== index) stream.currentLevel = replacing = index
    // hls.js handles an unavailable rendition.
    else stream.nextLevel = index
  }

  function closeHls() {
    clearTimeout(timer)
    choosing?.abort()
    hls?.destroy()
    hls = undefined
  }

  return {
    chooseRendition(index) {
      if (!hls) return
      choosing?.abort()
      choosing = replacing = undefined
      if (index === null) hls.nextLevel = -1
      else void switchRendition(hls, index)
      saveQuality(renditionsOf(hls).find((rendition) => rendition.index === index)?.lines)
      report({ type: 'rendition-chosen', rendition: index })
    },
    chooseAudioTrack(index) {
      if (!hls) return
      hls.audioTrack = index
      const audioLanguage = hls.audioTracks[index]?.lang
      if (audioLanguage) savePreferences({ audioLanguage })
    },
    frameSeconds() {
      const framesPerSecond = hls?.levels[hls.currentLevel]?.frameRate
      return framesPerSecond ? 1 / framesPerSecond : undefined
    },
    bandwidthBps: () => hls?.bandwidthEstimate,
    close() {
      isClosed = true
      removeEventListener('online', onOnline)
      video.removeEventListener('error', skipUndecodable)
      video.removeEventListener('timeupdate', notePosition)
      video.removeEventListener('seeking', notePosition)
      closeHls()
      // Without this, the element keeps its decoder and its connection.
      video.removeAttribute('src')
      video.load()
    },
  }
}

function highestFirst(renditions: readonly Rendition[]): Rendition[] {
  return [...renditions].sort((a, b) => b.lines - a.lines || b.bitrateBps - a.bitrateBps)
}
