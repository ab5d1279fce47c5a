import { stat } from 'node:fs/promises'
import { codeOf } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { deletePartsBeyond, findLastPart, type LivePart } from '../queries/parts.ts'

/** The last part of a recording that its file has completely, and the size up to there; undefined if there is none. */
export async function findWholeParts(
  { db }: Pick<Context, 'db'>,
  videoId: string,
  file: string,
): Promise<{ last: LivePart; sizeBytes: number } | undefined> {
  const { size } = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return { size: 0 }
    throw error
  })
  await deletePartsBeyond(db, videoId, size)
  const last = await findLastPart(db, videoId)
  return last && { last, sizeBytes: last.position + last.videoBytes + last.audioBytes }
}
