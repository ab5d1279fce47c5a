import type { Context } from '../../../../context/context.ts'
import { dropPartsBefore } from '../queries/parts.ts'
import { fileKeyOf, WINDOW_SECONDS } from '../rules.ts'
import type { RecordingFile } from './recording-file.ts'

/** Deletes the files of a stream that are older than what viewers may rewind to. */
export async function dropOldParts(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  { videoId, sourceKey, file }: { videoId: string; sourceKey: string; file: Pick<RecordingFile, 'drop'> },
  endSeconds: number,
): Promise<void> {
  const { files } = await dropPartsBefore(db, videoId, Math.round((endSeconds - WINDOW_SECONDS) * 1e6))
  for (const number of files) {
    await storage.delete(fileKeyOf(sourceKey, number))
    file.drop(number)
  }
}
