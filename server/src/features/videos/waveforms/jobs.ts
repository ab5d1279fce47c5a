import { z } from 'zod'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Context } from '../../../context/context.ts'
import { findVideo } from '../playback/actions/with-video.ts'
import { drawWaveformOf } from './actions/draw-waveform.ts'
import { endWaveform } from './queries.ts'

/** Draws the waveform of a video that somebody edits. */
export const drawWaveform = defineJob({
  name: 'waveforms.draw',
  payload: z.object({ videoId: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 1800,
  retries: 1,
  exclusive: true,
  handle: ({ videoId }, context: Context, signal) => drawWaveformOf(context, videoId, signal),
  giveUp: async ({ videoId }, context, error) => {
    const video = await findVideo(context, videoId)
    if (!video) return
    context.log.warn({ err: error, videoId }, 'waveform not drawn')
    await endWaveform(context.db, video, 'failed')
  },
})
