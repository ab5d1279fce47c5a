import path from 'node:path'
import { LocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

/** The storage that the settings name. */
export function createStorage({ dataDir }: { dataDir: string }): Storage {
  return new LocalStorage(path.join(dataDir, 'storage'))
}
