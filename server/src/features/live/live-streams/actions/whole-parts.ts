import type { Context } from '../../../../context/context.ts'
import { deletePartsBeyond, findLastPart, type LivePart } from '../queries/parts.ts'
import { LIVE_FOLDER, segmentsOf } from '../../../videos/playback/rules.ts'
import { fileKeyOf } from '../rules/streams.ts'

/** The last part of a recording that its file has completely; undefined if there is none. */
export async function findWholeParts(
  context: Pick<Context, 'db' | 'storage'>,
  videoId: string,
  sourceKey: string,
): Promise<LivePart | undefined> {
  const { db } = context
  for (;;) {
    const last = await findLastPart(db, videoId)
    if (!last) return undefined
    const { file } = last
    const found = await context.storage.head(fileKeyOf(sourceKey, file))
    const sizeBytes = found?.sizeBytes ?? 0
    const end = last.position + last.videoBytes + last.audioBytes
    if (end <= sizeBytes) return last
    await deletePartsBeyond(db, videoId, { file, sizeBytes })
    // other frames get the numbers of these parts
    await context.storage.delete(segmentsOf(videoId, LIVE_FOLDER))
  }
}
