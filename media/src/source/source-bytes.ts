import { open, stat } from 'node:fs/promises'
import { CustomSource, FilePathSource, Input, MP4, WEBM } from 'mediabunny'

/** Access to the bytes of a source: a path, or a reader of ranges (`end` is exclusive). */
export type SourceBytes = string | SourceRanges

/** Reader of byte ranges of a source. */
export type SourceRanges = {
  sizeBytes: number
  /** Returns fewer bytes at the end of the file, or throws. */
  read: (start: number, end: number) => Promise<Uint8Array>
}

/**
 * Range reader of a file, or of its first bytes. Opens the file for each range, so nothing has to be closed, and a
 * failure does not outlive its cause.
 */
export async function rangesOfFile(
  path: string,
  firstBytes = Number.POSITIVE_INFINITY,
): Promise<SourceRanges> {
  const size = Math.min((await stat(path)).size, firstBytes)
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

/** Memory for ranges that were read: enough for the index and the frames around the positions that are being watched. */
const REMOTE_CACHE_BYTES = 4 * 1024 * 1024

/** The bytes of a file: all of them, or the first `wholeBytes` of a file that breaks off. */
export async function bytesOfFile(path: string, wholeBytes: number | undefined): Promise<SourceBytes> {
  return wholeBytes === undefined ? path : rangesOfFile(path, wholeBytes)
}

/** Opens a source for reading packets in process. */
export function openInput(bytes: SourceBytes): Input {
  const source =
    typeof bytes === 'string'
      ? new FilePathSource(bytes)
      : new CustomSource({
          getSize: () => bytes.sizeBytes,
          read: (start, end) => bytes.read(start, end),
          prefetchProfile: 'network',
          maxCacheSize: REMOTE_CACHE_BYTES,
          // a failed read-ahead is repeated by the read that needs it
          handleUnhandledError: () => undefined,
        })
  return new Input({ formats: [MP4, WEBM], source })
}
