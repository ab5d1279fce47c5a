import type { TestProject } from 'vitest/node'
import {
  type ObjectStore,
  startObjectStore,
  type StoreAccess,
  whyNoObjectStore,
} from '@kinora/platform/testing/object-store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The S3 server of the run; undefined if this machine has none. */
    objectStore: StoreAccess | undefined
  }
}

let store: ObjectStore | undefined

/** One S3 server for the run; every test file creates its own bucket in it. */
export async function setup(project: TestProject): Promise<void> {
  const reason = whyNoObjectStore()
  if (reason !== undefined) {
    console.warn(`Skipped: ${reason}.`)
    project.provide('objectStore', undefined)
    return
  }
  store = await startObjectStore()
  const { endpoint, accessKeyId, secretAccessKey } = store
  project.provide('objectStore', { endpoint, accessKeyId, secretAccessKey })
}

export async function teardown(): Promise<void> {
  await store?.stop()
}
