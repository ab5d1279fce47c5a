import { setTimeout as sleep } from 'node:timers/promises'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { planWaveform, readPeaks } from '@kinora/media/waveform/waveform.ts'
import type { Context } from '../../../../context/context.ts'
import { openSource } from '../../playback/actions/encode-segments.ts'
import { isViewerWaiting } from '../../playback/actions/has-urgent-work.ts'
import { findPlannedVideo } from '../../playback/actions/with-video.ts'
import { appendPeaks, endWaveform, findWaveform } from '../queries.ts'
import { BLOCK_SECONDS, defaultTrackOf } from '../rules.ts'

/** The lowest CPU priority: viewers and the preparation of uploads go first. */
const niceness = 19

/** Longest time that a block waits for viewers. A busy site always has some, and an editor waits, too. */
const maxYieldMs = 30_000

/** Draws the waveform of a video, continuing after the last block of an earlier run. */
export async function drawWaveformOf(context: Context, videoId: string, signal: AbortSignal): Promise<void> {
  const { db, config } = context
  const video = await findPlannedVideo(context, videoId)
  const known = await findWaveform(db, videoId)
  if (!video || known?.state !== 'waiting') return
  const { source } = video
  const track = defaultTrackOf(source.audio)
  if (!track) return endWaveform(db, video, 'silent')
  // of the whole source, whatever is cut
  const { timeline } = planPresentation(source)
  const { durationSeconds } = timeline
  const intervalSeconds = planWaveform(durationSeconds)
  await using file = await openSource(context, video)
  const job = { tools: toolsOf(config), source, timeline, path: file.path, niceness }
  for (let count = known.peaks.length; count * intervalSeconds < durationSeconds;) {
    await yieldToViewers(context, signal)
    const fromSeconds = count * intervalSeconds
    const toSeconds = Math.min(fromSeconds + BLOCK_SECONDS, durationSeconds)
    const range = { audioTrack: track.position, fromSeconds, toSeconds, intervalSeconds }
    const peaks = await readPeaks(job, range, signal)
    if (peaks.length === 0) break
    await appendPeaks(db, video, count, { intervalSeconds, peaks })
    count += peaks.length
  }
  await endWaveform(db, video, 'ready')
}

/** Waits while a viewer waits for a segment, but not forever. */
async function yieldToViewers(context: Context, signal: AbortSignal): Promise<void> {
  const until = performance.now() + maxYieldMs
  while (performance.now() < until && (await isViewerWaiting(context)))
    await sleep(1000, undefined, { signal })
}
