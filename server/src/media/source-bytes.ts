import { open, stat } from 'node:fs/promises'

/** Where the bytes of a source are: a file, or something that answers ranges of them (`end` is not included). */
export type SourceBytes = string | SourceRanges

/** Answers fewer bytes than were asked for where there are no more, or throws. */
export type SourceRanges = {
  sizeBytes: number
  read: (start: number, end: number) => Promise<Uint8Array>
}

/** A file by ranges. It is opened for each, so that nothing has to be closed and no failure outlives its cause. */
export async function rangesOfFile(path: string): Promise<SourceRanges> {
  const { size } = await stat(path)
  return {
    sizeBytes: size,
    async read(start, end) {
      const file = await open(path)
      try {
        const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(end, size) - start))
        let filled = 0
        while (filled < bytes.length) {
          const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
          if (bytesRead === 0) break
          filled += bytesRead
        }
        return bytes.subarray(0, filled)
      } finally {
        await file.close()
      }
    },
  }
}
