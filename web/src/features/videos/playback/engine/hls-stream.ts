import type Hls from 'hls.js'
import type { LevelLoadedData } from 'hls.js'
import {
  canReload,
  type EngineAction,
  engineAfter,
  type EngineEvent,
  initialEngine,
} from '../state/engine-state.ts'
import type { PlaybackEvent } from '../state/playback-state.ts'
import { savePreferences, saveQuality } from '../state/preferences.ts'
import type { Rendition } from '../state/renditions.ts'
import { eventsOfError, folderOf, isNotFound } from './hls-errors.ts'
import { createStream, isPassthrough, playsPassthrough, renditionsOf, updateCapping } from './hls-library.ts'
import { createRenditionSwitch, type RenditionSwitch } from './rendition-switch.ts'
import { watchSlowLoads } from './slow-loads.ts'

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
  /** Applies a changed setting for saving data. */
  updateCapping: () => void
  /** Duration of a frame; undefined if the frame rate is unknown. */
  frameSeconds: () => number | undefined
  /** Codecs of the displayed rendition and its audio. */
  codecs: () => string | undefined
  /** Current estimate in bits per second. */
  bandwidthBps: () => number | undefined
  close: () => void
}

/** Some devices report that they decode AV1, and fail. After a failure, AV1 is not tried again until the page is reloaded. */
let hasAv1Failed = false

/** A start time beyond the end, for example in a link to an earlier cut: the video then plays from the beginning. */
const isPastEnd = (seconds: number, durationSeconds: number) => seconds > durationSeconds - 0.5

/**
 * Plays a stream in a video element: by Media Source, else natively, else as the uploaded file. Translates what hls.js and
 * the element report into events of the engine (`engineAfter`), and performs its actions.
 */
export function openStream(options: StreamOptions): Stream {
  const { video, streamUrl, report, onReady } = options
  const closed = new AbortController()
  let engine = initialEngine
  let library: typeof Hls | undefined
  let hls: Hls | undefined
  let renditions: RenditionSwitch | undefined
  let stopWatchingLoads: (() => void) | undefined
  let loadTimer: ReturnType<typeof setTimeout> | undefined
  /** Last position before an error: after one, some browsers report the end as `currentTime`. */
  let lastSeconds: number | undefined
  /** Whether the viewer has paused. After an error `video.paused` is always true, because hls.js has reset the element. */
  let isPaused = false
  /** Position and state when the playlists were reloaded. */
  let reloadedAt: { seconds: number; isPaused: boolean } | undefined

  const startSeconds = () => reloadedAt?.seconds ?? options.startSeconds()
  const on = (target: EventTarget, name: string, handle: () => void) =>
    target.addEventListener(name, handle, { signal: closed.signal })
  const notePosition = () => {
    if (!video.error && video.readyState > 0) lastSeconds = video.currentTime
  }
  on(video, 'timeupdate', notePosition)
  on(video, 'seeking', notePosition)
  on(video, 'pause', () => (isPaused = true))
  on(video, 'play', () => (isPaused = false))
  on(video, 'error', () => {
    if (hls && video.error?.code === MediaError.MEDIA_ERR_DECODE) dispatch(decodingFailed())
    else if (video.src && !video.src.startsWith('blob:')) dispatch({ type: 'fallback-failed' })
  })
  on(globalThis, 'online', () => dispatch({ type: 'online' }))

  open().catch((error: unknown) => {
    console.error('Failed to open the stream', error)
    dispatch({ type: 'stream-unplayable' })
  })

  function dispatch(event: EngineEvent) {
    const { state, action } = engineAfter(engine, event)
    engine = state
    report({ type: 'engine', phase: state.phase, stallReason: state.stallReason })
    if (action) perform(action)
  }

  function perform(action: EngineAction) {
    clearTimeout(loadTimer)
    switch (action.type) {
      case 'load':
        if (action.afterMs === 0) load(action.seconds)
        else loadTimer = setTimeout(() => load(action.seconds), action.afterMs)
        return
      case 'reset-decoder':
        return resetDecoder(action.seconds)
      case 'leave-passthrough':
        leavePassthrough()
        return resetDecoder(action.seconds)
      case 'reload-playlists':
        return reloadPlaylists()
      case 'leave-av1':
        return leaveAv1()
      case 'play-natively':
        closeHls()
        return void playNatively(action.source === 'stream' ? streamUrl : options.fileUrl)
    }
  }

  async function open() {
    const HlsClass = await import('hls.js').then(
      (module) => module.default,
      () => null,
    )
    if (closed.signal.aborted) return
    // Preferred over native HLS, which Chromium reports but plays poorly.
    if (HlsClass?.isSupported()) return openWithMediaSource(HlsClass)
    const playsHls = video.canPlayType('application/vnd.apple.mpegurl') !== ''
    dispatch({ type: 'media-source-missing', playsHls })
  }

  function openWithMediaSource(HlsClass: typeof Hls) {
    const { Events } = HlsClass
    library = HlsClass
    const onAv1 = hasAv1Failed ? undefined : () => dispatch({ type: 'av1-chosen' })
    const stream = createStream(HlsClass, startSeconds() || -1, onAv1)
    const switching = createRenditionSwitch(stream, video)
    hls = stream
    renditions = switching
    stopWatchingLoads = watchSlowLoads(stream, HlsClass, () => dispatch({ type: 'loading-slowly' }))
    const onRenditions = () => {
      // The page's data may have changed the start position.
      stream.config.startPosition = startSeconds() || -1
      report({ type: 'renditions', renditions: highestFirst(renditionsOf(stream)) })
      if (!stream.autoLevelEnabled && !switching.isPrefetching())
        report({ type: 'rendition-chosen', rendition: stream.loadLevel })
    }
    stream.on(Events.MANIFEST_PARSED, onRenditions)
    stream.once(Events.MANIFEST_PARSED, () => {
      if (stream.levels[0]?.uri.includes('/live/')) void startLive(stream, HlsClass)
    })
    startWithinDuration(stream, HlsClass)
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
    stream.on(Events.LEVEL_SWITCHED, (_event, { level }) =>
      report({ type: 'rendition-playing', rendition: level }),
    )
    stream.on(Events.FRAG_BUFFERED, (_event, { frag }) => {
      switching.onBuffered(frag)
      dispatch({ type: 'segment-buffered' })
    })
    stream.on(Events.ERROR, (_event, data) => {
      // hls.js would try other renditions first, and retry audio endlessly.
      if (data.frag && isNotFound(data.response?.code)) {
        const folder = folderOf(data.frag.url)
        if (canReload(engine, folder)) {
          startWithinDuration(stream, HlsClass)
          return dispatch({ type: 'segment-missing', folder })
        }
      }
      // hls.js has returned to Auto because the chosen rendition failed.
      if (stream.autoLevelEnabled && !switching.isPrefetching())
        report({ type: 'rendition-chosen', rendition: null })
      for (const event of eventsOfError(data, HlsClass, decodingFailed())) dispatch(event)
    })
    stream.loadSource(streamUrl)
    stream.attachMedia(video)
  }

  /** Starts once it is known how far from the end. */
  async function startLive(stream: Hls, HlsClass: typeof Hls) {
    stream.config.autoStartLoad = false
    const lowLatency = await import('./low-latency.ts').catch(() => null)
    if (hls !== stream) return
    lowLatency?.followClosely(stream, HlsClass, video)
    stream.config.autoStartLoad = true
    stream.startLoad(stream.config.startPosition)
  }

  function decodingFailed() {
    const endSeconds = Number.isNaN(video.duration) ? Infinity : video.duration - 0.5
    return {
      type: 'decoding-failed',
      seconds: lastSeconds ?? startSeconds(),
      endSeconds,
      isPassthrough: hls !== undefined && playsPassthrough(hls),
    } as const
  }

  function resetDecoder(seconds: number) {
    hls?.recoverMediaError()
    load(seconds)
  }

  function leavePassthrough() {
    if (!hls) return
    hls.removeLevel(hls.levels.findIndex(isPassthrough))
    report({ type: 'renditions', renditions: highestFirst(renditionsOf(hls)) })
    report({ type: 'rendition-chosen', rendition: hls.autoLevelEnabled ? null : hls.loadLevel })
  }

  function load(seconds: number | undefined) {
    if (hls?.levels.length === 0) return hls.loadSource(streamUrl)
    // hls.js avoids renditions that have failed, even if it was the connection that failed.
    for (const level of hls?.levels ?? []) level.loadError = level.fragmentError = 0
    hls?.startLoad(seconds)
  }

  function startWithinDuration(stream: Hls, { Events }: typeof Hls) {
    stream.once(Events.LEVEL_LOADED, (_event, { details }: LevelLoadedData) => {
      if (!isPastEnd(startSeconds(), details.totalduration)) return
      // The reloaded playlist is shorter than the position that was saved before.
      if (reloadedAt) reloadedAt.seconds = Math.max(0, details.totalduration - 1)
      stream.startLoad(reloadedAt?.seconds ?? 0)
    })
  }

  function reloadPlaylists() {
    if (!hls) return
    // One second earlier, so that something remains to play if the video ends here.
    reloadedAt = { seconds: Math.max(0, video.currentTime - 1), isPaused: video.paused }
    hls.config.xhrSetup = (request, url) => {
      request.open('GET', url)
      // Cached playlists are outdated.
      if (url.endsWith('.m3u8')) request.setRequestHeader('cache-control', 'no-cache')
    }
    hls.loadSource(streamUrl)
  }

  /** Opens the ordinary playlist at the same position. */
  function leaveAv1() {
    if (!library) return
    hasAv1Failed = true
    reloadedAt = { seconds: lastSeconds ?? startSeconds(), isPaused }
    closeHls()
    openWithMediaSource(library)
  }

  async function playNatively(source: string | Promise<string>) {
    const url = await source
    if (closed.signal.aborted) return
    const from = lastSeconds || startSeconds()
    video.src = url
    if (from > 0) {
      const begin = () => {
        if (!isPastEnd(from, video.duration)) video.currentTime = from
      }
      video.addEventListener('loadedmetadata', begin, { once: true, signal: closed.signal })
    }
    onReady()
  }

  function closeHls() {
    clearTimeout(loadTimer)
    stopWatchingLoads?.()
    renditions?.close()
    hls?.destroy()
    hls = renditions = undefined
  }

  return {
    chooseRendition(index) {
      if (!hls || !renditions) return
      renditions.choose(index)
      saveQuality(renditionsOf(hls).find((rendition) => rendition.index === index)?.lines)
      report({ type: 'rendition-chosen', rendition: index })
    },
    chooseAudioTrack(index) {
      if (!hls) return
      hls.audioTrack = index
      const audioLanguage = hls.audioTracks[index]?.lang
      if (audioLanguage) savePreferences({ audioLanguage })
    },
    updateCapping() {
      if (hls) updateCapping(hls)
    },
    frameSeconds() {
      const framesPerSecond = hls?.levels[hls.currentLevel]?.frameRate
      return framesPerSecond ? 1 / framesPerSecond : undefined
    },
    codecs() {
      const level = hls?.levels[hls.currentLevel]
      return [level?.videoCodec, level?.audioCodec].filter(Boolean).join(', ') || undefined
    },
    bandwidthBps: () => hls?.bandwidthEstimate,
    close() {
      closed.abort()
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
