import type Hls from 'hls.js'
import type {
  ErrorData,
  Events,
  FragBufferedData,
  FragLoadingData,
  Fragment,
  HlsConfig,
  LoaderResponse,
  LoaderStats,
  LoadPolicy,
} from 'hls.js'
import { loadPreferences, loadQuality, savesData } from '../state/preferences.ts'
import { type Rendition, renditionForLines, smallRenditions, startRendition } from '../state/renditions.ts'
import { av1LoaderOf } from './av1-playlist.ts'
import { isLiveRendition } from './hls-errors.ts'
import { parallelBytes } from './parallel-bytes.ts'
import { startBandwidthBps } from './start-bandwidth.ts'

/**
 * The server encodes a segment on its first request and responds with 503 if that takes too long. The player requests the
 * same segment again a few times, then tries a smaller rendition, then starts over.
 */
const fragLoadPolicy = (hls: () => Hls | undefined): LoadPolicy => ({
  default: {
    maxTimeToFirstByteMs: 30_000,
    maxLoadTimeMs: 120_000,
    timeoutRetry: { maxNumRetry: 3, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: {
      maxNumRetry: 8,
      // Linear: errors of video and audio are counted together, which would make exponential delays too long.
      backoff: 'linear',
      retryDelayMs: 700,
      maxRetryDelayMs: 700,
      // In Auto a smaller rendition may be faster. A rendition that the viewer chose is retried.
      shouldRetry: (_policy, retries, _isTimeout, response, isRetried) => {
        if (!isEncoderBusy(response)) return isRetried && (retries < 2 || !mayStepDown(hls()))
        uncap(hls())
        return false
      },
    },
  },
})

/** Encoders are busy with a live stream, whose buffer is short: another rendition plays, whatever the viewer chose. */
const isEncoderBusy = (response: LoaderResponse | undefined) =>
  response?.code === 503 && isLiveRendition(response.url)

function mayStepDown(hls: Hls | undefined): boolean {
  return hls !== undefined && hls.autoLevelEnabled && hls.levels.length > 1
}

const config: Partial<HlsConfig> = {
  // Renditions that failed are tried again after this time.
  errorPenaltyExpireMs: 20_000,
  // A test download would delay the first frame; `startBandwidthBps` estimates from past transfers instead.
  testBandwidth: false,
  // Prefetching before the duration is set limits seeking to what is loaded, and a start position is missed.
  startFragPrefetch: false,
  // At most one minute ahead: most segments beyond would be encoded without being watched.
  maxBufferLength: 60,
  maxBufferSize: 0,
  backBufferLength: 60,
  capLevelToPlayerSize: true,
  maxDevicePixelRatio: 2,
  // Until a playlist states it: see `keepNear`.
  liveSyncDuration: 5,
}

type QualityCap = { detectPlayerSize: () => void; uncap: () => void }

/** Limits of the automatic quality of each stream. */
const qualityCaps = new WeakMap<Hls, QualityCap>()

/** How long after busy encoders small players may get the original of a live stream, which nobody encodes. */
const UNCAPPED_MS = 60_000

/** Caps automatic quality to the size of the player, and while data is saved to small renditions. */
function cappingOf({ DefaultConfig }: typeof Hls): Partial<HlsConfig> {
  const { capLevelController } = DefaultConfig
  // Only builds without it lack this controller.
  if (!capLevelController) return {}
  class CappingController extends capLevelController {
    readonly #stream: Hls
    #uncappedUntil = 0

    constructor(stream: Hls) {
      super(stream)
      this.#stream = stream
      qualityCaps.set(stream, this)
    }

    uncap() {
      this.#uncappedUntil = performance.now() + UNCAPPED_MS
      this.#stream.autoLevelCapping = -1
      setTimeout(() => this.detectPlayerSize(), UNCAPPED_MS)
    }

    override getMaxLevel(highest: number): number {
      if (performance.now() < this.#uncappedUntil) return highest
      const level = super.getMaxLevel(highest)
      if (!savesData()) return level
      return Math.min(
        level,
        Math.max(...smallRenditions(renditionsOf(this.#stream)).map(({ index }) => index)),
      )
    }
  }
  return { capLevelController: CappingController }
}

const uncap = (stream: Hls | undefined) => stream && qualityCaps.get(stream)?.uncap()

/** Applies a changed setting for saving data to automatic quality. */
export function updateCapping(stream: Hls): void {
  qualityCaps.get(stream)?.detectPlayerSize()
}

/**
 * Works around a bug of hls.js 1.7, which loads an init segment in parallel with its fragment: when a fragment of another
 * rendition aborts that load, the library also aborts the fragment that is loading by then, and nothing plays. An aborted
 * load must have no side effects.
 */
function controllersOf({ DefaultConfig, ErrorDetails, Events }: typeof Hls): Partial<HlsConfig> {
  const ignoreAbort = (reason: unknown): Promise<void> => {
    const { data } = reason as { data?: ErrorData }
    if (data?.details === ErrorDetails.INTERNAL_ABORTED) return new Promise(() => undefined)
    throw reason
  }
  const { streamController, audioStreamController } = DefaultConfig
  class VideoController extends streamController {
    protected override _loadInitSegment(segment: Fragment) {
      return super._loadInitSegment(segment).catch(ignoreAbort)
    }
  }
  // Only builds without alternate audio lack this controller.
  if (!audioStreamController) return { streamController: VideoController }
  class AudioController extends audioStreamController {
    constructor(...dependencies: ConstructorParameters<NonNullable<typeof audioStreamController>>) {
      super(...dependencies)
      // Audio that waits for the timestamp of the video would otherwise wait for the next interval, up to 100 ms.
      this.hls.on(Events.INIT_PTS_FOUND, () => this.tick())
    }

    protected override _loadInitSegment(segment: Fragment) {
      return super._loadInitSegment(segment).catch(ignoreAbort)
    }
  }
  return { streamController: VideoController, audioStreamController: AudioController }
}

/** Slower connections get the audio of few bits, which leaves more of them to the video. */
const SLOW_BPS = 1_500_000

/**
 * Removes the renditions of other audio groups: after a change between groups, hls.js 1.7 can wait at the end of a video
 * forever. Streams without that group keep all of theirs.
 */
function keepAudioGroup(stream: Hls, group: string): void {
  const isKept = ({ audioGroups }: Hls['levels'][number]) => audioGroups?.includes(group) === true
  if (!stream.levels.some(isKept)) return
  for (let index = stream.levels.length - 1; index >= 0; index--) {
    const level = stream.levels[index]
    if (level && !isKept(level)) stream.removeLevel(index)
  }
}

/** hls.js weighs a segment by the time of its transfer, so small ones on a line that became fast would hardly count. */
const LEAST_WEIGHT_MS = 1500
/** Clocks are coarse, and a cached segment arrives in no time. */
const LEAST_TRANSFER_MS = 50

/** hls.js exports the type of its enum, not its values. */
const isOf = ({ type }: { type: string }, wanted: 'audio' | 'main') => type === wanted

/**
 * hls.js measures the video alone, while the audio takes a part of the line, and the bitrate of a rendition includes both.
 * The bytes of audio that arrive together with a video segment count with it.
 */
function abrOf({ DefaultConfig }: typeof Hls): Partial<HlsConfig> {
  class MeasuringController extends DefaultConfig.abrController {
    #audio: LoaderStats[] = []

    protected override onFragLoading(event: Events.FRAG_LOADING, data: FragLoadingData) {
      if (isOf(data.frag, 'audio')) this.#audio = [...this.#audio.slice(-3), (data.part ?? data.frag).stats]
      super.onFragLoading(event, data)
    }

    protected override onFragBuffered(event: Events.FRAG_BUFFERED, data: FragBufferedData) {
      const { sn } = data.frag
      const { stats } = data.part ?? data.frag
      if (!isOf(data.frag, 'main') || sn === 'initSegment' || stats.aborted) return
      const { loaded } = stats
      stats.loaded += parallelBytes(stats, this.#audio)
      super.onFragBuffered(event, data)
      const transferMs = Math.max(LEAST_TRANSFER_MS, stats.loading.end - stats.loading.first)
      const missingMs = LEAST_WEIGHT_MS - transferMs
      if (missingMs > 0) this.bwEstimator.sample(missingMs, (stats.loaded * missingMs) / transferMs)
      stats.loaded = loaded
    }
  }
  return { abrController: MeasuringController }
}

/**
 * Creates a stream that starts with the saved quality, else an available rendition, in the last chosen audio language.
 * `startPosition` is in seconds, or -1 for the beginning. With `onAv1`, the stream may be in AV1; it is called then.
 */
export function createStream(HlsClass: typeof Hls, startPosition: number, onAv1?: () => void): Hls {
  const { audioLanguage, bandwidthBps: measuredBps } = loadPreferences()
  const downlinkMbps = navigator.connection?.downlink
  const loaded = performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
  const bandwidthBps = startBandwidthBps(loaded, { measuredBps, downlinkMbps })
  const stream: Hls = new HlsClass({
    ...config,
    ...controllersOf(HlsClass),
    ...cappingOf(HlsClass),
    ...abrOf(HlsClass),
    ...(onAv1 && av1LoaderOf(HlsClass, onAv1)),
    fragLoadPolicy: fragLoadPolicy(() => stream),
    ...(audioLanguage && { audioPreference: { lang: audioLanguage } }),
    startPosition,
  })
  if (bandwidthBps) stream.bandwidthEstimate = bandwidthBps
  const audioGroup = savesData() || (bandwidthBps ?? Infinity) < SLOW_BPS ? 'audio-low' : 'audio'
  stream.on(HlsClass.Events.MANIFEST_PARSED, (_event, { levels, firstLevel: listedFirst }) => {
    const firstUri = levels[listedFirst]?.uri
    keepAudioGroup(stream, audioGroup)
    const firstLevel = stream.levels.findIndex(({ uri }) => uri === firstUri)
    const renditions = renditionsOf(stream)
    const lines = loadQuality()
    const kept = lines === undefined ? undefined : renditionForLines(renditions, lines)
    // Setting `loadLevel` turns off automatic quality.
    if (kept !== undefined) stream.loadLevel = kept
    const offered = savesData() ? smallRenditions(renditions) : renditions
    stream.startLevel = kept ?? startRendition(offered, firstLevel, bandwidthBps)
  })
  return stream
}

/** Renditions of a stream, in playlist order. */
export function renditionsOf({ levels }: Hls): Rendition[] {
  return levels.map(({ width, height, bitrate }, index) => ({
    index,
    lines: Math.min(width, height),
    bitrateBps: bitrate,
  }))
}

/** Whether a rendition consists of the uploaded frames. */
export const isPassthrough = ({ uri }: Hls['levels'][number]) => uri.includes('/source/')

/** Whether the passthrough rendition plays or is about to, and is not the only one. */
export function playsPassthrough({ levels, currentLevel, loadLevel }: Hls): boolean {
  const index = levels.findIndex(isPassthrough)
  return index !== -1 && levels.length > 1 && (currentLevel === index || loadLevel === index)
}
