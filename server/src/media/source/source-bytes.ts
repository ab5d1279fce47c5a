import { open, stat } from 'node:fs/promises'
import { CustomSource, FilePathSource, Input, MP4, WEBM } from 'mediabunny'

/** Where the bytes of a source are: a file, or something that answers ranges of them (`end` is not included). */
export type SourceBytes = string | SourceRanges

/** Answers fewer bytes than were asked for where there are no more, or throws. */
export type SourceRanges = {
  sizeBytes: number
  read: (start: number, end: number) => Promise<Uint8Array>
}

/**
 * A file, or the first bytes of it, by ranges. It is opened for each, so that nothing has to be closed and no failure
 * outlives its cause.
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

/** A source's index and the frames around the places where it is watched. */
const REMOTE_CACHE_BYTES = 4 * 1024 * 1024

/** Reads a file: all of it, or its first bytes. */
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
          // what is read ahead and fails is asked for again by whoever needs it
          handleUnhandledError: () => undefined,
        })
  return new Input({ formats: [MP4, WEBM], source })
}
