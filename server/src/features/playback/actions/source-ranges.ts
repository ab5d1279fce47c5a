import { buffer } from 'node:stream/consumers'
import type { Context } from '../../../context.ts'
import type { SourceRanges } from '../../../media/source-bytes.ts'

/** A source that is no file of this machine, for readers that want only parts of it. */
export function rangesOf(storage: Context['storage'], sourceKey: string, sizeBytes: number): SourceRanges {
  return {
    sizeBytes,
    async read(start, end) {
      const found = await storage.get(sourceKey, { start, end: end - 1 })
      if (!found) throw new Error(`${sourceKey} is gone`)
      return buffer(found.body)
    },
  }
}
