import path from 'node:path'
import { LocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

export interface StorageSettings {
  dataDir: string
  storageUrl?: string | undefined
  awsAccessKeyId?: string | undefined
  awsSecretAccessKey?: string | undefined
  /** Limit of the local copies of objects in a bucket. */
  copiesMaxBytes: number
  uploadMaxBytes: number
  storageTimeoutSeconds: number
}

/** Returns the configured storage: a directory below DATA_DIR, or a bucket. Throws StartupError if a bucket is not usable. */
export async function createStorage(settings: StorageSettings): Promise<Storage> {
  const { dataDir, storageUrl, awsAccessKeyId, awsSecretAccessKey } = settings
  if (storageUrl === undefined) return new LocalStorage(path.join(dataDir, 'storage'))
  // loaded on demand: the AWS SDK costs thirty megabytes of memory
  const { S3Storage } = await import('./s3.ts')
  const storage = new S3Storage({
    url: storageUrl,
    accessKeyId: awsAccessKeyId ?? '',
    secretAccessKey: awsSecretAccessKey ?? '',
    cache: { directory: path.join(dataDir, 'copies'), maxBytes: settings.copiesMaxBytes },
    maxObjectBytes: settings.uploadMaxBytes,
    timeoutMs: settings.storageTimeoutSeconds * 1000,
  })
  await storage.check()
  return storage
}
