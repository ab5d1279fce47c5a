import type { Waveform } from '@kinora/contract/videos/waveforms.ts'
import type { AudioInfo } from '@kinora/media/source/source-info.ts'
import type { WaveformRow } from './queries.ts'

/** Seconds that are decoded at once: 20 MB of memory, and a fraction of a second of the CPU. A multiple of each interval. */
export const BLOCK_SECONDS = 600

/** A waveform for its editors; undefined is one that was never requested. */
export function toWaveform(row: WaveformRow | undefined): Waveform {
  if (!row) return { state: 'none', intervalSeconds: 0, peaks: '' }
  const { state, intervalSeconds, peaks } = row
  return { state, intervalSeconds, peaks: Buffer.from(peaks).toString('base64') }
}

/** The audio track that viewers hear first; undefined for a video without audio. */
export const defaultTrackOf = (audio: readonly AudioInfo[]): AudioInfo | undefined =>
  audio.find(({ isDefault }) => isDefault) ?? audio[0]
