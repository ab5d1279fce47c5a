import { createReadStream } from 'node:fs'
import type { Context } from '../../../../context/context.ts'
import { findMetadata } from '@kinora/media/metadata/find-metadata.ts'
import { applyEdits } from '@kinora/platform/files/file-edits.ts'
import type { ReadableFile } from './read-format.ts'

/**
 * Stores an inspected file durably, and blanks tags of place and device unless they are kept. `isStored` means that the key
 * has the bytes of the file already.
 */
export async function storeSource(
  { storage }: Pick<Context, 'storage'>,
  { videoFile, source, isConverted }: ReadableFile,
  {
    sourceKey,
    isStored,
    keepsMetadata,
  }: { sourceKey: string; isStored: boolean; keepsMetadata: boolean | undefined },
): Promise<void> {
  const edits = keepsMetadata ? [] : await findMetadata(videoFile, source.container)
  if (isConverted) {
    await applyEdits(videoFile, edits)
    // also deletes a cached copy of the uploaded file; as a stream, because its upload may be prepared for the key
    await storage.delete(sourceKey)
    await storage.put(sourceKey, createReadStream(videoFile))
  } else if (!isStored) {
    await applyEdits(videoFile, edits)
    await storage.put(sourceKey, { file: videoFile, edited: edits })
  } else if (edits.length > 0) {
    await storage.edit(sourceKey, videoFile, edits)
  }
}
