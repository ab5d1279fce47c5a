/** What is needed of a FileHandle. */
interface Writable {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>
}

/**
 * Writes all of some bytes to a place in a file. A disk may take less than it is given, and says so by the count alone:
 * what it would not take at all, it refuses at the next try.
 */
export async function writeFully(file: Writable, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const rest = bytes.length - written
    written += (await file.write(bytes, written, rest, position + written)).bytesWritten
  }
}
