import type { Counter, Histogram } from 'prom-client'
import { noteSpan } from '../tracing/tracing.ts'
import type { Body, Storage } from './storage.ts'

/** Wraps a storage with metrics, labelled by operation and by the first part of the key. */
export function measureStorage(
  storage: Storage,
  seconds: Histogram<'operation' | 'area' | 'outcome'>,
  storedBytes: Counter<'area'>,
): Storage {
  const timed = async <T>(operation: string, key: string, work: Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const area = key.split('/', 1)[0] ?? ''
    const note = (outcome: 'ok' | 'failed', error?: unknown) => {
      const ms = performance.now() - startedAt
      seconds.observe({ operation, area, outcome }, ms / 1000)
      noteSpan(`storage ${operation}`, { 'kinora.key': key }, ms, error)
    }
    try {
      const result = await work
      note('ok')
      return result
    } catch (error) {
      note('failed', error)
      throw error
    }
  }
  return {
    put: async (key, body, expectedBytes) => {
      await timed('put', key, storage.put(key, body, expectedBytes))
      storedBytes.inc({ area: key.split('/', 1)[0] ?? '' }, sizeOf(body))
    },
    putOnce: async (key, bytes) => {
      await timed('put', key, storage.putOnce(key, bytes))
      storedBytes.inc({ area: key.split('/', 1)[0] ?? '' }, bytes.length)
    },
    edit: (key, file, edits) => timed('edit', key, storage.edit(key, file, edits)),
    get: (key, range) => timed('get', key, storage.get(key, range)),
    delete: (key) => timed('delete', key, storage.delete(key)),
    list: (prefix) => storage.list(prefix),
    putWhileReceiving: (key) => storage.putWhileReceiving(key),
    head: (key) => timed('head', key, storage.head(key)),
    sweep: (before, isAbandoned) => storage.sweep(before, isAbandoned),
    parts: storage.parts,
    pathOf: (key) => storage.pathOf(key),
    open: (key) => timed('open', key, storage.open(key)),
    presignedUrl: (key, headers) => storage.presignedUrl(key, headers),
    close: () => storage.close(),
  }
}

/** Counts segments and pictures, which are bytes. Sources are files, and their database rows hold their sizes. */
const sizeOf = (body: Body) => (body instanceof Uint8Array ? body.length : 0)
