import path from 'node:path'
import { LocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

export interface StorageSettings {
  dataDir: string
  storageUrl?: string | undefined
  awsAccessKeyId?: string | undefined
  awsSecretAccessKey?: string | undefined
  copiesMaxBytes: number
  uploadMaxBytes: number
  storageTimeoutSeconds: number
}

/**
 * The storage that the settings name: a directory below DATA_DIR, or a bucket, which is tried out first.
 * Throws StartupError with a sentence when it cannot be used.
 */
export async function createStorage(settings: StorageSettings): Promise<Storage> {
  const { dataDir, storageUrl, awsAccessKeyId, awsSecretAccessKey } = settings
  if (storageUrl === undefined) return new LocalStorage(path.join(dataDir, 'storage'))
  // loaded where it is used alone: it costs thirty megabytes of memory
  const { S3Storage } = await import('./s3.ts')
  const storage = new S3Storage({
    url: storageUrl,
    accessKeyId: awsAccessKeyId ?? '',
    secretAccessKey: awsSecretAccessKey ?? '',
    copies: { directory: path.join(dataDir, 'copies'), maxBytes: settings.copiesMaxBytes },
    maxObjectBytes: settings.uploadMaxBytes,
    timeoutMs: settings.storageTimeoutSeconds * 1000,
  })
  await storage.check()
  return storage
}
