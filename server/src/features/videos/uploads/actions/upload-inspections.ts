import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { limitInspections } from './limit-inspections.ts'

/** Publishing usually follows the last byte immediately. After this time the file is inspected again. */
const cachedMs = 30_000
const maxCached = 16

/**
 * Inspections of resumable uploads, which one request completes and another publishes, perhaps in another process. One
 * object per web process.
 */
export class UploadInspections {
  readonly #config: Context['config']
  readonly #cached = new LRUCache<string, Promise<SourceInfo>>({
    max: maxCached,
    ttl: cachedMs,
    ttlAutopurge: true,
  })

  constructor({ config }: Pick<Context, 'config'>) {
    this.#config = config
  }

  /** Inspects a complete upload. */
  begin(uploadId: string, file: string, ownerId: string): void {
    const source = limitInspections(ownerId, () => probe(toolsOf(this.#config), file))
    // Awaited by `take`; until then a failure must not be an unhandled rejection.
    source.catch(() => undefined)
    this.#cached.set(uploadId, source)
  }

  /** The cached inspection of an upload that this process has just completed. */
  take(uploadId: string): Promise<SourceInfo> | undefined {
    const source = this.#cached.get(uploadId)
    this.#cached.delete(uploadId)
    return source
  }

  /** Forgets all inspections. */
  close(): void {
    this.#cached.clear()
  }
}
