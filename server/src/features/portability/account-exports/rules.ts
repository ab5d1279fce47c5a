import type { AccountExport } from '@kinora/contract/portability/account-exports.ts'
import { AccountArchive } from '@kinora/contract/portability/account-archive.ts'
import { z } from 'zod'
import type { Container } from '@kinora/media/source/container.ts'
import { type StorageKey, storagePrefixes } from '../../../context/storage-keys.ts'

/** How long an archive can be downloaded. */
export const exportMs = 7 * 24 * 3600_000

/** Longest file of a list, unless a single row is longer. `JSON.parse` of it stops the importing worker for a quarter of a second. */
export const listFileMaxBytes = 16 * 1024 ** 2

export const exportKey = (id: string): StorageKey => `${storagePrefixes.exports}${id}.zip`

/** The id in the key of an archive. */
export const idOfExport = (key: string) => key.slice(storagePrefixes.exports.length, -'.zip'.length)

/** The response shape of an export. */
export function toAccountExport(row: {
  state: AccountExport['state']
  progress: number
  sizeBytes: number | null
  createdAt: Date
  expiresAt: Date
}): AccountExport {
  const { state, progress, sizeBytes, createdAt, expiresAt } = row
  return {
    state,
    progress,
    sizeBytes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

/** File extensions of containers in an archive. */
export const extensions: Record<Container, string> = { mp4: 'mp4', webm: 'webm', ogg: 'ogv' }

/** The JSON Schema of the files of an archive, by the path of each. */
export const archiveSchema = () => z.toJSONSchema(AccountArchive)

/** Those of the files of a picture that an archive has: the widest WebP. */
export function widestPicture(keys: readonly string[]): string | undefined {
  const widthOf = (key: string) => Number(/(\d+)\.webp$/.exec(key)?.[1] ?? 0)
  const [widest] = keys.filter((key) => widthOf(key) > 0).toSorted((a, b) => widthOf(b) - widthOf(a))
  return widest
}
