import type { Readable } from 'node:stream'
import { AUDIO_TRACK, initOfTrack, VIDEO_TRACK } from '@kinora/live/recording/tracks.ts'
import type { Context } from '../../../../context/context.ts'
import type { PlayableStream } from '../queries/parts.ts'
import { fileKeyOf } from '../rules/streams.ts'
import { type Segment, SOUND } from '../rules/tracks.ts'

/** The bytes of a segment: a range of the recording. Undefined if the recording was deleted. */
export async function readSegment(
  { storage }: Pick<Context, 'storage'>,
  { sourceKey }: Pick<PlayableStream, 'sourceKey'>,
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
export const readInit = ({ init }: Pick<PlayableStream, 'init'>, track: string): Buffer =>
  initOfTrack(init, track === SOUND ? AUDIO_TRACK : VIDEO_TRACK)
