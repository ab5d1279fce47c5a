import { t } from '@lingui/core/macro'

/** Technical values of a stream, as far as it knows them. */
export interface StreamStats {
  frameSeconds: () => number | undefined
  codecs: () => string | undefined
  bandwidthBps: () => number | undefined
}

/** Technical values of the playback at one moment. */
export type PlaybackStats = {
  /** Size of the decoded frames. */
  videoWidth: number
  videoHeight: number
  framesPerSecond: number | undefined
  /** Size of the player in CSS pixels, and the physical pixels of one. */
  playerWidth: number
  playerHeight: number
  pixelRatio: number
  codecs: string | undefined
  droppedFrames: number
  totalFrames: number
  /** How long playback can continue without another segment. */
  bufferedSeconds: number
  bandwidthBps: number | undefined
  positionSeconds: number
}

/** The values as labels and texts, without those that this browser or stream does not know. */
export function statsRows(stats: PlaybackStats): (readonly [label: string, text: string])[] {
  const { framesPerSecond, bandwidthBps, pixelRatio } = stats
  const rate = framesPerSecond ? t` at ${round(framesPerSecond, 2)} fps` : ''
  const ratio = pixelRatio === 1 ? '' : ` × ${round(pixelRatio, 2)}`
  return [
    [t`Resolution`, `${stats.videoWidth}×${stats.videoHeight}${rate}`],
    [t`Player`, `${Math.round(stats.playerWidth)}×${Math.round(stats.playerHeight)}${ratio}`],
    ...(stats.codecs ? [[t`Codecs`, stats.codecs] as const] : []),
    [t`Dropped frames`, t`${stats.droppedFrames} of ${stats.totalFrames}`],
    [t`Buffer`, `${stats.bufferedSeconds.toFixed(1)} s`],
    ...(bandwidthBps ? [[t`Connection`, t`${round(bandwidthBps / 1e6, 1)} Mbit/s`] as const] : []),
    [t`Position`, `${stats.positionSeconds.toFixed(2)} s`],
  ]
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))
