import type { Context } from '../../../../context/context.ts'
import { segmentKey } from '../../../videos/playback/rules.ts'
import { dropPartsBefore, findPlayableStream } from '../queries/parts.ts'
import { fileKeyOf, WINDOW_SECONDS } from '../rules/streams.ts'
import { liveSegment } from '../rules/tracks.ts'
import type { Recording } from './recording-file.ts'

/** Deletes the files of a stream that are older than what viewers may rewind to. */
export async function dropOldParts(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  {
    videoId,
    sourceKey,
    recording,
  }: { videoId: string; sourceKey: string; recording: Pick<Recording, 'drop'> },
  endSeconds: number,
): Promise<void> {
  const { files, parts } = await dropPartsBefore(db, videoId, Math.round((endSeconds - WINDOW_SECONDS) * 1e6))
  for (const number of files) {
    await storage.delete(fileKeyOf(sourceKey, number))
    recording.drop(number)
  }
  if (files.length === 0) return
  const { renditions } = (await findPlayableStream(db, videoId)) ?? { renditions: [] }
  for (const track of renditions)
    for (const part of parts) await storage.delete(segmentKey(liveSegment(videoId, track, part)))
}
