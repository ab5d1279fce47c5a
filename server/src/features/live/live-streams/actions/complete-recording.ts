import type { Context } from '../../../../context/context.ts'
import { findChunkBytes, listChunks } from '../queries/chunks.ts'
import { insertPart, type LivePart } from '../queries/parts.ts'
import { chunksOfPart } from '../rules/playlists.ts'
import { continueRecording, type RecordedStream } from './recordings.ts'
import { findWholeParts } from './whole-parts.ts'

/**
 * Records the chunks of the part that a killed process did not complete: viewers have played them, and their players expect
 * the rest. No connection may write the recording meanwhile. Returns its last part; undefined if there is none.
 */
export async function completeRecording(
  context: Pick<Context, 'db' | 'storage' | 'config'>,
  stream: RecordedStream,
): Promise<LivePart | undefined> {
  const { db } = context
  const { videoId, sourceKey } = stream
  const whole = await findWholeParts(context, videoId, sourceKey)
  if (!whole) return undefined
  const number = whole.part + 1
  const chunks = chunksOfPart(await listChunks(db, videoId, number), number)
  const bytes = await Promise.all(chunks.map((chunk) => findChunkBytes(db, videoId, chunk)))
  const [first, last] = [chunks[0], chunks.at(-1)]
  if (!first || !last) return whole
  const video = Buffer.concat(bytes.map((each) => each?.video ?? Buffer.alloc(0)))
  const audio = Buffer.concat(bytes.map((each) => each?.audio ?? Buffer.alloc(0)))
  const recording = await continueRecording(context, stream, whole)
  try {
    const place = await recording.append(Buffer.concat([video, audio]), first.startMicros / 1e6)
    const sounding = chunks.filter(({ hasAudio }) => hasAudio)
    const part = {
      part: number,
      startMicros: first.startMicros,
      endMicros: last.endMicros,
      audioStartMicros: sounding[0]?.audioStartMicros ?? whole.audioEndMicros,
      audioEndMicros: sounding.at(-1)?.audioEndMicros ?? whole.audioEndMicros,
      ...place,
      videoBytes: video.length,
      audioBytes: audio.length,
      receivedAt: last.receivedAt,
      isResumed: false,
    }
    await insertPart(db, videoId, part)
    return part
  } finally {
    await recording.close()
  }
}
