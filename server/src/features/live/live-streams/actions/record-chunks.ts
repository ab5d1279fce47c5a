import type { Context } from '../../../../context/context.ts'
import { findChunkBytes, listChunks } from '../queries/chunks.ts'
import { insertPart, type LivePart } from '../queries/parts.ts'
import { chunksOfPart } from '../rules/playlists.ts'
import type { Recording } from './recording-file.ts'

/**
 * Records the chunks of the part that a killed process did not complete: viewers have played them, and their players expect
 * the rest. Returns the part; undefined if there are none.
 */
export async function recordChunks(
  { db }: Pick<Context, 'db'>,
  videoId: string,
  { after, recording }: { after: LivePart; recording: Recording },
): Promise<LivePart | undefined> {
  const number = after.part + 1
  const chunks = chunksOfPart(await listChunks(db, videoId, number), number)
  const bytes = await Promise.all(chunks.map((chunk) => findChunkBytes(db, videoId, chunk)))
  const [first, last] = [chunks[0], chunks.at(-1)]
  if (!first || !last) return undefined
  const video = Buffer.concat(bytes.map((each) => each?.video ?? Buffer.alloc(0)))
  const audio = Buffer.concat(bytes.map((each) => each?.audio ?? Buffer.alloc(0)))
  const place = await recording.append(Buffer.concat([video, audio]), first.startMicros / 1e6)
  const sounding = chunks.filter(({ hasAudio }) => hasAudio)
  const part = {
    part: number,
    startMicros: first.startMicros,
    endMicros: last.endMicros,
    audioStartMicros: sounding[0]?.audioStartMicros ?? after.audioEndMicros,
    audioEndMicros: sounding.at(-1)?.audioEndMicros ?? after.audioEndMicros,
    ...place,
    videoBytes: video.length,
    audioBytes: audio.length,
    receivedAt: last.receivedAt,
    isResumed: false,
  }
  await insertPart(db, videoId, part)
  return part
}
