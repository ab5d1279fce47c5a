import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { ownName } from '@kinora/platform/process-identity.ts'

/** A backup of NewPipe: a zip of settings and this SQLite database (https://newpipe.net/FAQ/, "export database"). */
const databaseName = 'newpipe.db'

export const isNewPipeBackup = (zip: ZipFile) => zip.sizeOf(databaseName) !== undefined

export interface NewPipeContents {
  subscriptions: { name: string; url: string }[]
  entries: { playlistId: string; playlistName: string; url: string; title: string }[]
  /** Rows above the limit. */
  leftOut: { subscriptions: number; entries: number }
}

export type NewPipeResponse = { contents: NewPipeContents } | { error: string }

export const newPipeMaxRows = 100_000
const databaseMaxBytes = 256 * 1024 ** 2
const limits = { timeoutMs: 60_000, cpuSeconds: 10 }

/**
 * Reads a backup of NewPipe, by way of `directory`. Its database comes from anybody, so a process of its own reads it, with limited memory and time.
 * Throws `invalid` for one that cannot be read within them.
 */
export async function readNewPipeBackup(
  directory: string,
  zip: ZipFile,
  signal: AbortSignal,
): Promise<NewPipeContents> {
  const file = path.join(directory, ownName())
  await mkdir(directory, { recursive: true })
  const script = fileURLToPath(new URL('./newpipe-process.ts', import.meta.url))
  const reader = new PreforkedProcess<string, NewPipeResponse>({
    script,
    role: 'newpipe-reader',
    heapMegabytes: 256,
    memoryBytes: 2 * 1024 ** 3,
  })
  try {
    await zip.extract(databaseName, file, databaseMaxBytes, signal)
    const response = await reader.request(file, { ...limits, signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      return { error: String(error) }
    })
    if ('error' in response)
      throw new AppError(portabilityErrors.newpipeUnreadable, {
        cause: response.error,
      })
    return response.contents
  } finally {
    reader.end()
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name, { force: true })
  }
}
