import type { EncodeJob } from '../encode/encode.ts'
import { decodeSpeechAudio } from '../speech/decode-audio.ts'
import { SPEECH_SAMPLE_RATE } from '../speech/speech.ts'

/** Durations of one peak. The first one is fine enough to see where a word begins. */
const intervals = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
/** A video of four hours has ten peaks a second. */
const MAX_PEAKS = 150_000

/** Seconds of one peak in the waveform of a video. */
export function planWaveform(durationSeconds: number): number {
  return intervals.find((interval) => durationSeconds / interval <= MAX_PEAKS) ?? durationSeconds / MAX_PEAKS
}

/**
 * The peaks of a range of an audio track, one byte each: 0 is silence, 255 full scale. `fromSeconds` is a multiple of the
 * interval. Rejects with `FfmpegError`, or with the signal's reason.
 */
export async function readPeaks(
  job: Omit<EncodeJob, 'signal'>,
  {
    intervalSeconds,
    ...range
  }: { audioTrack: number; fromSeconds: number; toSeconds: number; intervalSeconds: number },
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return peaksOf(await decodeSpeechAudio(job, range, signal), intervalSeconds)
}

/** The loudest sample of each interval; the last one may be shorter. */
export function peaksOf(pcm: Int16Array, intervalSeconds: number): Uint8Array {
  const samplesEach = intervalSeconds * SPEECH_SAMPLE_RATE
  const peaks = new Uint8Array(Math.ceil(pcm.length / samplesEach))
  for (let peak = 0; peak < peaks.length; peak++) {
    let loudest = 0
    const end = Math.min(pcm.length, Math.round((peak + 1) * samplesEach))
    for (let at = Math.round(peak * samplesEach); at < end; at++) {
      const sample = Math.abs(pcm[at] ?? 0)
      if (sample > loudest) loudest = sample
    }
    peaks[peak] = Math.round((Math.min(loudest, 32_767) / 32_767) * 255)
  }
  return peaks
}
