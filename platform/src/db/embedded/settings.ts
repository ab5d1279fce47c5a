import { totalmem } from 'node:os'

const megabyte = 1024 ** 2

/**
 * Returns `shared_buffers`: an eighth of the memory (or of the container's limit), between 128 MB and 4 GB. PostgreSQL
 * recommends a quarter for dedicated servers, but this one shares the machine with ffmpeg and Node.
 */
export function sharedBuffersFor(memoryBytes = availableMemoryBytes()): string {
  return `${Math.min(4096, Math.max(128, Math.floor(memoryBytes / 8 / megabyte)))}MB`
}

function availableMemoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
