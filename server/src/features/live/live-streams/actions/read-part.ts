import type { Readable } from 'node:stream'
import { AUDIO_TRACK, initOfTrack, VIDEO_TRACK } from '@kinora/live/recording/tracks.ts'
import type { Context } from '../../../../context/context.ts'
import { fileKeyOf, type LiveTrack, type Segment } from '../rules.ts'
import type { LiveTimeline } from './live-timelines.ts'

/** The bytes of a segment: a range of the recording. Undefined if the recording was deleted. */
export async function readSegment(
  { storage }: Pick<Context, 'storage'>,
  { sourceKey }: Pick<LiveTimeline, 'sourceKey'>,
  { file, position, bytes }: Pick<Segment, 'file' | 'position' | 'bytes'>,
  range: { start: number; end: number } = { start: 0, end: bytes - 1 },
): Promise<Readable | undefined> {
  const { start, end } = range
  const found = await storage.get(fileKeyOf(sourceKey, file), {
    start: position + start,
    end: position + end,
  })
  return found?.body
}

/** The init segment of a track. */
export const readInit = ({ init }: Pick<LiveTimeline, 'init'>, track: LiveTrack): Buffer =>
  initOfTrack(init, track === 'source' ? VIDEO_TRACK : AUDIO_TRACK)
