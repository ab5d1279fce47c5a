import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Bytes of each end: enough that two videos differ in them, and little to read from a slow disk. */
const endBytes = 64 * 1024

/** SHA-256 of the first and last bytes of a file. */
export async function fingerprintOf(file: string, sizeBytes: number): Promise<Buffer> {
  await using handle = await open(file)
  const hash = createHash('sha256')
  const end = Buffer.alloc(endBytes)
  for (const position of [0, Math.max(0, sizeBytes - endBytes)]) {
    const { bytesRead } = await handle.read(end, 0, endBytes, position)
    hash.update(end.subarray(0, bytesRead))
  }
  return hash.digest()
}
