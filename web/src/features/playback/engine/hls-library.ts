import type Hls from 'hls.js'
import type { HlsConfig, LoadPolicy } from 'hls.js'
import { loadPreferences, loadQuality } from '../state/preferences.ts'
import { type Rung, rungForLines, startRung } from '../state/renditions.ts'
import { startBandwidthBps } from './start-bandwidth.ts'

/**
 * What plays HLS by Media Source: asked for as soon as this file runs, beside everything else that the page needs. A
 * failure shows where it is awaited.
 */
export const library = import('hls.js')
library.catch(() => undefined)

/**
 * A segment that nobody asked for before is made while the request waits, and answers 503 when that takes too long: the
 * same segment is asked again a few times, then a smaller rung is tried, then it starts over.
 */
const fragLoadPolicy = (hls: () => Hls | undefined): LoadPolicy => ({
  default: {
    maxTimeToFirstByteMs: 30_000,
    maxLoadTimeMs: 120_000,
    timeoutRetry: { maxNumRetry: 3, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: {
      maxNumRetry: 8,
      // Steady, because the refusals of picture and sound are counted together and would soon make the pauses long.
      backoff: 'linear',
      retryDelayMs: 700,
      maxRetryDelayMs: 700,
      // Where another rung may be quicker, it is tried soon; a rung that was chosen is waited for.
      shouldRetry: (_policy, retries, _isTimeout, _response, isRetried) =>
        isRetried && (retries < 2 || !mayStepDown(hls())),
    },
  },
})

function mayStepDown(hls: Hls | undefined): boolean {
  return hls !== undefined && hls.autoLevelEnabled && hls.levels.length > 1
}

const config: Partial<HlsConfig> = {
  // A rung that could not be had is given another chance after a while.
  errorPenaltyExpireMs: 20_000,
  // A test download would delay the first picture; the start rung is chosen by what is known instead.
  testBandwidth: false,
  // Not before the length is set: until then one can seek only as far as is loaded, so that a start in the middle is missed.
  startFragPrefetch: false,
  // A minute ahead and no more, however small the rung: most of what is far ahead would have to be made, for nobody perhaps.
  maxBufferLength: 60,
  maxBufferSize: 0,
  backBufferLength: 60,
  capLevelToPlayerSize: true,
  maxDevicePixelRatio: 2,
}

/** A stream of the library that begins on the kept quality or else on a rung that exists, in the language of sound that was chosen last. */
export function createStream(HlsClass: typeof Hls, settings: Partial<HlsConfig>): Hls {
  const { soundLanguage, bandwidthBps: measuredBps } = loadPreferences()
  const downlinkMbps = navigator.connection?.downlink
  const loaded = performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
  const bandwidthBps = startBandwidthBps(loaded, { measuredBps, downlinkMbps })
  const stream: Hls = new HlsClass({
    ...config,
    fragLoadPolicy: fragLoadPolicy(() => stream),
    ...(soundLanguage && { audioPreference: { lang: soundLanguage } }),
    ...settings,
  })
  if (bandwidthBps) stream.bandwidthEstimate = bandwidthBps
  stream.on(HlsClass.Events.MANIFEST_PARSED, (_event, { firstLevel }) => {
    const rungs = rungsOf(stream)
    const lines = loadQuality()
    const kept = lines === undefined ? undefined : rungForLines(rungs, lines)
    // Setting the level ends the automatic choice.
    if (kept !== undefined) stream.loadLevel = kept
    stream.startLevel = kept ?? startRung(rungs, firstLevel, bandwidthBps)
  })
  return stream
}

/** The qualities of a stream, in the order in which its playlist lists them. */
export function rungsOf({ levels }: Hls): Rung[] {
  return levels.map(({ width, height, bitrate }, index) => ({
    index,
    lines: Math.min(width, height),
    bitrateBps: bitrate,
  }))
}

/** Whether an answer means that there is no such part, not that it could not be had just now. */
export const isGone = (status: number | undefined) => status === 404 || status === 410
