import { buffer } from 'node:stream/consumers'
import type { Context } from '../../../context.ts'
import type { SourceBytes, SourceRanges } from '../../../media/source/source-bytes.ts'
import type { PlayableVideo } from '../queries.ts'

/** A source that is no file of this machine, for readers that want only parts of it. */
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

/** A source for readers in this process: a file of this machine as such, where all of it is read. */
export function bytesOf(
  storage: Context['storage'],
  { source: { sizeBytes, wholeBytes }, sourceKey }: PlayableVideo,
): SourceBytes {
  // only part of what was uploaded is read where the rest is truncated: by ranges, also of a file
  const file = wholeBytes === undefined ? storage.pathOf(sourceKey) : undefined
  return file ?? rangesOf(storage, sourceKey, wholeBytes ?? sizeBytes)
}
