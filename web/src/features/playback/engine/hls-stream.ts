import type Hls from 'hls.js'
import type { ErrorData, LevelLoadedData } from 'hls.js'
import { libraryOfEarly, takeBegun } from './preload-stream.ts'
import { createStream, isGone, library, rungsOf } from './hls-library.ts'
import type { PlaybackEvent } from '../state/playback-state.ts'
import { savePreferences, saveQuality } from '../state/preferences.ts'
import { bringRung } from './prefetch-rendition.ts'
import type { Rung } from '../state/renditions.ts'

export type StreamOptions = {
  video: HTMLVideoElement
  streamUrl: string
  /** The uploaded file, for browsers and faults that leave no other way; there once the page's data is. */
  fileUrl: Promise<string>
  startSeconds: () => number
  report: (event: PlaybackEvent) => void
  /** The video can be told to play. */
  onReady: () => void
}

export type Stream = {
  /** One rung as soon as it is at hand, or null for Auto. */
  chooseRung: (index: number | null) => void
  /** One of the tracks of sound. */
  chooseSound: (index: number) => void
  /** How long a frame of what plays is shown; undefined where that is not known. */
  frameSeconds: () => number | undefined
  /** As last measured, in bits per second. */
  bandwidthBps: () => number | undefined
  close: () => void
}

export const mediaFailure = 'This video cannot be played in this browser.'

/** What a browser cannot decode is passed over, by twice as much each time: half a minute in all. */
const MAX_DECODE_FAILURES = 6
/** What fails farther on than this is damaged by itself. */
const FAR_SECONDS = 20

/** Nothing plays from there: a link with such a time is one to another cut of the video, which is shown from its beginning. */
const isPastEnd = (seconds: number, durationSeconds: number) => seconds > durationSeconds - 0.5

/** Plays a stream in a video element, by Media Source where there is one, else by the browser itself, else as a file. */
export function openStream(options: StreamOptions): Stream {
  const { video, streamUrl, report, onReady } = options
  let hls: Hls | undefined
  let isClosed = false
  let networkFailures = 0
  let mediaFailures = 0
  /** Where one is: a browser that gives up where there is nothing to show says that it is at the end. */
  let placeSeconds: number | undefined
  const notePlace = () => {
    if (!video.error && video.readyState > 0) placeSeconds = video.currentTime
  }
  video.addEventListener('timeupdate', notePlace)
  video.addEventListener('seeking', notePlace)
  /** Where the browser could decode nothing the last time, and how often around there. */
  let undecodable = { seconds: 0, failures: 0 }
  /** Where one was when the stream was looked at anew. */
  let resumed: { seconds: number; isPaused: boolean } | undefined
  const startSeconds = () => resumed?.seconds ?? options.startSeconds()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** A rung that was chosen is on its way. */
  let choosing: AbortController | undefined
  /** The rung of which what is on the screen is being replaced. */
  let replacing: number | undefined

  open().catch((error: unknown) => {
    console.error('The stream could not be opened', error)
    void playFile()
  })

  async function open() {
    // Where it has begun nothing is waited for: it is told to play before the page is drawn.
    const HlsClass =
      libraryOfEarly() ??
      (await library.then(
        (module) => module.default,
        () => null,
      ))
    if (isClosed) return
    // Asked before the browser's own way: Chromium claims to play HLS by itself, and does it badly.
    if (HlsClass?.isSupported()) openWithMediaSource(HlsClass)
    else if (video.canPlayType('application/vnd.apple.mpegurl') !== '') playNatively(streamUrl)
    else void playFile()
  }

  function openWithMediaSource(HlsClass: typeof Hls) {
    const { Events } = HlsClass
    const opened = takeBegun(video, startSeconds())
    const stream = opened?.stream ?? createStream(HlsClass, { startPosition: startSeconds() || -1 })
    hls = stream
    const onRungs = () => {
      // Page data may have told a better place to start since.
      stream.config.startPosition = startSeconds() || -1
      report({ type: 'rungs', rungs: highestFirst(rungsOf(stream)) })
      if (!stream.autoLevelEnabled && !choosing) report({ type: 'rung-chosen', rung: stream.loadLevel })
    }
    stream.on(Events.MANIFEST_PARSED, onRungs)
    const beginWithin = (_event: unknown, { details }: LevelLoadedData) => {
      if (!isPastEnd(startSeconds(), details.totalduration)) return
      // what was kept of a film that turned out shorter has been played beyond its end
      if (resumed) resumed.seconds = Math.max(0, details.totalduration - 1)
      stream.startLoad(resumed?.seconds ?? 0)
    }
    stream.once(Events.LEVEL_LOADED, beginWithin)
    if (stream.levels.length > 0) onRungs()
    stream.on(Events.MEDIA_ATTACHED, () => {
      // A new source starts by the attribute of its element as well: pausing takes that back (HTML, "can autoplay flag").
      if (resumed?.isPaused) video.pause()
      else onReady()
    })
    const onSound = () =>
      report({
        type: 'sounds',
        sounds: stream.audioTracks.map(({ name }) => name),
        chosenSound: stream.audioTrack,
      })
    stream.on(Events.AUDIO_TRACK_SWITCHING, onSound)
    if (stream.audioTracks.length > 0) onSound()
    stream.on(Events.LEVEL_SWITCHED, (_event, { level }) => report({ type: 'rung-playing', rung: level }))
    stream.on(Events.FRAG_BUFFERED, (_event, { frag }) => {
      if (frag.level === replacing && frag.start <= video.currentTime && video.currentTime < frag.end) {
        replacing = undefined
        // Until the next keyframe a browser decodes nothing of what came in place of what it was showing, unless it seeks.
        video.currentTime += 0.000001
      }
      networkFailures = 0
      report({ type: 'hindered', by: null })
    })
    stream.on(Events.ERROR, (_event, data) => {
      // The library would try other rungs first, and the sound for ever.
      if (data.frag && isGone(data.response?.code) && !resumed) {
        stream.once(Events.LEVEL_LOADED, beginWithin)
        return lookAnew(stream)
      }
      // A chosen rung that could not be had was given up for Auto.
      if (stream.autoLevelEnabled && !choosing) report({ type: 'rung-chosen', rung: null })
      if (data.type === HlsClass.ErrorTypes.NETWORK_ERROR && data.response)
        report({ type: 'hindered', by: data.response.code === 503 ? 'making' : 'connection' })
      // The library has begun anew, from where the browser said that one was.
      if (data.details === HlsClass.ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET)
        stream.startLoad(placeSeconds ?? startSeconds())
      if (data.fatal) recover(stream, HlsClass, data)
    })
    if (opened) {
      if (stream.currentLevel >= 0) report({ type: 'rung-playing', rung: stream.currentLevel })
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
    if (data.type !== ErrorTypes.NETWORK_ERROR || isGone(status)) return void playFile()
    // Never given up: a server that is started again or a train that leaves its tunnel needs nobody to press anything.
    networkFailures += 1
    report({ type: 'waiting' })
    clearTimeout(timer)
    timer = setTimeout(resume, Math.min(4000, 500 * networkFailures))
  }

  /** A browser gives up a stream at what it cannot decode: it is tried once more there, then behind it. */
  function passOver() {
    if (!hls || video.error?.code !== MediaError.MEDIA_ERR_DECODE) return
    const seconds = placeSeconds ?? startSeconds()
    const endSeconds = Number.isNaN(video.duration) ? Infinity : video.duration - 0.5
    const isElsewhere = Math.abs(seconds - undecodable.seconds) > FAR_SECONDS
    const failures = isElsewhere ? 1 : undecodable.failures + 1
    undecodable = { seconds, failures }
    if (failures > MAX_DECODE_FAILURES) return void playFile()
    hls.recoverMediaError()
    const aheadSeconds = failures > 1 ? 2 ** (failures - 2) : 0
    hls.startLoad(Math.min(seconds + aheadSeconds, endSeconds))
  }
  video.addEventListener('error', passOver)

  /** A film that turned out broken is shorter than its playlists said: the new ones say where it ends. */
  function lookAnew(stream: Hls) {
    // a little before, so that there is something to play if that is the end
    resumed = { seconds: Math.max(0, video.currentTime - 1), isPaused: video.paused }
    report({ type: 'waiting' })
    stream.config.xhrSetup = (request, url) => {
      request.open('GET', url)
      // what the browser kept of the playlists is what has turned out wrong
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

  /** The last way: the file as it was uploaded, where the browser can play it. */
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

  /** The rung that plays goes on until the other is at hand: it would stand still while that is made. */
  async function changeRung(stream: Hls, index: number) {
    const { signal } = (choosing = new AbortController())
    const isAtHand = await bringRung(stream.levels[index]?.uri ?? '', video, signal).catch(() => false)
    if (signal.aborted) return
    choosing = undefined
    if (isAtHand && stream.currentLevel !== index) stream.currentLevel = replacing = index
    // the library knows what to do about what cannot be had
    else stream.nextLevel = index
  }

  function closeHls() {
    clearTimeout(timer)
    choosing?.abort()
    hls?.destroy()
    hls = undefined
  }

  return {
    chooseRung(index) {
      if (!hls) return
      choosing?.abort()
      choosing = replacing = undefined
      if (index === null) hls.nextLevel = -1
      else void changeRung(hls, index)
      saveQuality(rungsOf(hls).find((rung) => rung.index === index)?.lines)
      report({ type: 'rung-chosen', rung: index })
    },
    chooseSound(index) {
      if (!hls) return
      hls.audioTrack = index
      const soundLanguage = hls.audioTracks[index]?.lang
      if (soundLanguage) savePreferences({ soundLanguage })
    },
    frameSeconds() {
      const framesPerSecond = hls?.levels[hls.currentLevel]?.frameRate
      return framesPerSecond ? 1 / framesPerSecond : undefined
    },
    bandwidthBps: () => hls?.bandwidthEstimate,
    close() {
      isClosed = true
      removeEventListener('online', onOnline)
      video.removeEventListener('error', passOver)
      video.removeEventListener('timeupdate', notePlace)
      video.removeEventListener('seeking', notePlace)
      closeHls()
      // A closed element would go on holding its decoder and its connection.
      video.removeAttribute('src')
      video.load()
    },
  }
}

function highestFirst(rungs: readonly Rung[]): Rung[] {
  return [...rungs].sort((a, b) => b.lines - a.lines || b.bitrateBps - a.bitrateBps)
}
