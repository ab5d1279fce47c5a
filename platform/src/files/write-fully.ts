interface Writable {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>
}

/**
 * Writes all bytes at a position. A single write may be short without an error (write(2)); the next one then reports the
 * error, for example of a full disk.
 */
export async function writeFully(file: Writable, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const rest = bytes.length - written
    written += (await file.write(bytes, written, rest, position + written)).bytesWritten
  }
}
