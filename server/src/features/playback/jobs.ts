import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { planPresentation } from '../../media/hls.ts'
import { AppError } from '../../platform/errors.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import { announce, makeAudioSegments, makeRungInit, makeRungSegments } from './actions/make-segments.ts'
import type { Playing } from './actions/presentations.ts'
import { getPlayable } from './queries.ts'
import { audioStretch, findTrack, hasPart, segmentKey, type SegmentName } from './rules.ts'

const SegmentPayload = z.object({
  videoId: z.string(),
  track: z.string(),
  part: z.union([z.literal('init'), z.number().int().min(0)]),
})

/** A segment that somebody waits for. Its workers do nothing else, so that it never stands behind background work. */
export const makeSegment = defineJob({
  name: 'playback.make_segment',
  payload: SegmentPayload,
  concurrency: Math.max(2, availableParallelism()),
  timeLimitSeconds: 120,
  retries: 1,
  exclusive: true,
  handle: async (name, context: Context, signal) => {
    const playing = await findPlaying(context, name.videoId)
    if (!playing) return
    if (await isStored(context, name)) return announce(context, name, 'made')
    try {
      await make(context, playing, name, signal)
    } catch (error) {
      await announce(context, name, 'failed')
      throw error
    }
  },
})

async function make(
  context: Context,
  playing: Playing,
  name: SegmentName,
  signal: AbortSignal,
): Promise<void> {
  const track = findTrack(playing.presentation, name.track)
  if (!track || !hasPart(track, name.part)) return
  const options = { signal, niceness: 0 }
  if (track.kind === 'encoded_audio') {
    await makeAudioSegments(context, playing, track.plan, audioStretch(track.plan, name.part), options)
  }
  if (track.kind !== 'rung') return
  if (name.part === 'init') await makeRungInit(context, playing, track.rung, options)
  else await makeRungSegments(context, playing, [track.rung], { from: name.part, to: name.part + 1 }, options)
}

/** The video of a job, or undefined when it was deleted meanwhile. */
async function findPlaying({ db }: Context, videoId: string): Promise<Playing | undefined> {
  try {
    const video = await getPlayable(db, videoId)
    return { ...video, presentation: planPresentation(video.source) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

async function isStored({ storage }: Context, name: SegmentName): Promise<boolean> {
  const found = await storage.get(segmentKey(name))
  found?.body.destroy()
  return found !== undefined
}

/** All jobs of this feature. */
export const playbackJobs = [makeSegment]
