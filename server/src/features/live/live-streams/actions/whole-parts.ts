import { stat } from 'node:fs/promises'
import { codeOf } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { deletePartsBeyond, findLastPart, type LivePart } from '../queries/parts.ts'
import { fileKeyOf } from '../rules.ts'

/** The path of a file of a recording. Throws where the storage has no files. */
export function pathOfRecording(
  { storage }: Pick<Context, 'storage'>,
  sourceKey: string,
  file: number,
): string {
  const found = storage.pathOf(fileKeyOf(sourceKey, file))
  if (found === undefined) throw new Error('recordings of live streams need a storage on a disk')
  return found
}

/** The last part of a recording that its file has completely, and the size of the file up to there; undefined if there is none. */
export async function findWholeParts(
  context: Pick<Context, 'db' | 'storage'>,
  videoId: string,
  sourceKey: string,
): Promise<{ last: LivePart; sizeBytes: number } | undefined> {
  const { db } = context
  for (;;) {
    const last = await findLastPart(db, videoId)
    if (!last) return undefined
    const { file } = last
    const sizeBytes = await sizeOf(pathOfRecording(context, sourceKey, file))
    const end = last.position + last.videoBytes + last.audioBytes
    if (end <= sizeBytes) return { last, sizeBytes: end }
    await deletePartsBeyond(db, videoId, { file, sizeBytes })
  }
}

async function sizeOf(file: string): Promise<number> {
  const { size } = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return { size: 0 }
    throw error
  })
  return size
}
