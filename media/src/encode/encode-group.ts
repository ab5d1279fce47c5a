import { planTimeline, type Timeline } from '../plan/timeline.ts'
import type { Rendition } from '../plan/renditions.ts'
import type { SourceInfo } from '../source/source-info.ts'
import { encodeInit, type EncodeJob, encodeVideoBorder } from './encode.ts'

/** Frames from one keyframe of a source to the next, on the clock of the source. */
export type FrameGroup = { fromSeconds: number; toSeconds: number }

type GroupJob = Omit<EncodeJob, 'timeline'>

/**
 * Encodes a group of pictures of a source that still grows. The file of the job has the init segment and this group alone. Times stay as
 * they are, so that segments of groups join each other, and those of the source.
 */
export async function encodeGroup(job: GroupJob, rendition: Rendition, group: FrameGroup): Promise<Buffer> {
  const { fromSeconds, toSeconds } = group
  const { video, index } = job.source
  const source = {
    ...job.source,
    video: { ...video, startSeconds: fromSeconds, endSeconds: toSeconds },
    index: { ...index, cutsMicros: [Math.round(fromSeconds * 1e6)] },
  }
  const timeline = growingTimeline(job.source, toSeconds)
  const border = { ...group, startsRange: true, endsRange: true }
  const segments: Buffer[] = []
  await encodeVideoBorder({ ...job, source, timeline }, [rendition], border, (_, bytes) =>
    segments.push(bytes),
  )
  const [segment] = segments
  if (!segment) throw new Error(`no frame from ${fromSeconds} s to ${toSeconds} s`)
  return segment
}

/** The init segment of a rendition of a source that still grows. */
export const encodeGroupInit = (job: Omit<GroupJob, 'path'>, rendition: Rendition): Promise<Buffer> =>
  encodeInit({ ...job, path: '', timeline: growingTimeline(job.source, 0) }, rendition)

/** A timeline that is longer than the groups so far, on the clock of the source. */
function growingTimeline(source: SourceInfo, seconds: number): Timeline {
  const endSeconds = seconds + 1
  return {
    ...planTimeline(source),
    zeroSeconds: 0,
    videoStartSeconds: 0,
    videoEndSeconds: endSeconds,
    durationSeconds: endSeconds,
    extendsLastFrame: false,
  }
}
