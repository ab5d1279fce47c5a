import { inject } from 'vitest'
import { type BucketSettings, createBucket } from './object-store.ts'
import type { Storage } from '../storage/storage.ts'

const store = inject('objectStore')

/** Whether this machine has no S3 server; a test that needs one is then skipped. */
export const hasNoStore = store === undefined

/** A new bucket in the S3 server of the run. */
export function createTestBucket(): Promise<BucketSettings> {
  if (!store) throw new Error('there is no S3 server')
  return createBucket(store)
}

export async function keysBelow(storage: Pick<Storage, 'list'>, prefix: string): Promise<string[]> {
  const keys = []
  for await (const { key } of storage.list(prefix)) keys.push(key)
  return keys
}
