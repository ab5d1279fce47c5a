import { totalmem } from 'node:os'

const megabyte = 1024 ** 2

/**
 * `shared_buffers` for the memory that this process may use, which a container limits. PostgreSQL shares it with ffmpeg and
 * Node, so it gets an eighth, between the default of 128 MB and 4 GB, instead of the quarter of a machine of its own.
 */
export function sharedBuffersFor(memoryBytes = availableMemoryBytes()): string {
  return `${Math.min(4096, Math.max(128, Math.floor(memoryBytes / 8 / megabyte)))}MB`
}

function availableMemoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
