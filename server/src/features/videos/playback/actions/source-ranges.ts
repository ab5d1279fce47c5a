import { buffer } from 'node:stream/consumers'
import type { Context } from '../../../../context/context.ts'
import type { SourceBytes, SourceRanges } from '@kinora/media/source/source-bytes.ts'
import type { PlayableVideo } from '../queries.ts'

/** A source in a bucket, for readers that need only parts of it. */
function rangesOf(storage: Context['storage'], sourceKey: string, sizeBytes: number): SourceRanges {
  return {
    sizeBytes,
    async read(start, end) {
      const found = await storage.get(sourceKey, { start, end: end - 1 })
      if (!found) throw new Error(`${sourceKey} is gone`)
      return buffer(found.body)
    },
  }
}

/** A source for readers in this process: a path if it is a local file that is read completely. */
export function bytesOf(
  storage: Context['storage'],
  { source: { sizeBytes, wholeBytes }, sourceKey }: PlayableVideo,
): SourceBytes {
  // ranges limit a truncated source to its readable bytes, even if it is a local file
  const file = wholeBytes === undefined ? storage.pathOf(sourceKey) : undefined
  return file ?? rangesOf(storage, sourceKey, wholeBytes ?? sizeBytes)
}
