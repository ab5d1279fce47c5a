import path from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import type { Container } from '../../../media/source/container.ts'
import { toolsOf } from '../../../media/process/ffmpeg.ts'
import { MAX_WAIT_MS } from '../../../media/process/preforked-process.ts'
import { keepIndexReaderReady } from '../../../media/probe/index-process.ts'
import { type PreforkedProbe, preforkProbe, probe, sniffFile } from '../../../media/probe/probe.ts'
import type { SourceInfo } from '../../../media/source/source-info.ts'

/** How long before the expected last byte the inspecting processes are started. */
const headStartSeconds = 3
/** Container of most uploads. */
const likelyContainer: Container = 'mp4'
/** Publishing usually follows the last byte immediately. After this time the file is inspected again. */
const cachedMs = 30_000
const maxCached = 16

interface CachedInspection {
  inspection: EarlyInspection
  source?: Promise<SourceInfo>
}

/**
 * Inspects videos while they arrive: their senders wait for the work after the last byte, and starting the inspecting
 * processes takes longer than the inspection. One object per web process.
 */
export class UploadInspections {
  readonly #config: Context['config']
  /** The preforked process for the next upload. There is at most one. */
  #awaiting: { preforked: PreforkedProbe; timer: NodeJS.Timeout } | undefined
  /**
   * Inspections of resumable uploads, which one request completes and another publishes, perhaps in another process.
   */
  readonly #cached = new LRUCache<string, CachedInspection>({
    max: maxCached,
    ttl: cachedMs,
    ttlAutopurge: true,
    dispose: ({ inspection, source }) => {
      if (!source) void inspection[Symbol.asyncDispose]()
    },
  })

  constructor({ config }: Pick<Context, 'config'>) {
    this.#config = config
  }

  /** An upload is about to begin. */
  announce(): void {
    keepIndexReaderReady()
    if (this.#awaiting) return
    const timer = setTimeout(() => this.#endAwaiting(), MAX_WAIT_MS)
    timer.unref()
    this.#awaiting = { preforked: this.#prefork(likelyContainer), timer }
  }

  /** Starts the inspection of a file that begins to arrive. */
  begin(): EarlyInspection {
    return new EarlyInspection(
      this.#config,
      (container) => this.#takeAwaiting(container) ?? this.#prefork(container),
    )
  }

  /** The last bytes of a resumable upload are arriving. */
  expect(uploadId: string, file: string): void {
    const inspection = this.begin()
    inspection.prepare(file)
    this.#cached.set(uploadId, { inspection })
  }

  /** Called when the upload is complete. */
  complete(uploadId: string, file: string): void {
    const inspection = this.#cached.get(uploadId)?.inspection ?? this.begin()
    const source = inspectOnce(inspection, file)
    // Awaited by `take`; until then a failure must not be an unhandled rejection.
    source.catch(() => undefined)
    this.#cached.set(uploadId, { inspection, source }, { noDisposeOnSet: true })
  }

  /** The cached inspection of an upload that this process has just completed. */
  take(uploadId: string): Promise<SourceInfo> | undefined {
    const source = this.#cached.get(uploadId)?.source
    this.#cached.delete(uploadId)
    return source
  }

  /** Ends all prepared processes. */
  close(): void {
    this.#cached.clear()
    this.#endAwaiting()
  }

  #prefork(container: Container): PreforkedProbe {
    return preforkProbe(toolsOf(this.#config), container, path.join(this.#config.dataDir, 'incoming'))
  }

  #takeAwaiting(container: Container): PreforkedProbe | undefined {
    if (this.#awaiting?.preforked.container !== container) return undefined
    const { preforked, timer } = this.#awaiting
    clearTimeout(timer)
    this.#awaiting = undefined
    return preforked
  }

  #endAwaiting(): void {
    void this.#takeAwaiting(likelyContainer)?.run[Symbol.asyncDispose]()
  }
}

async function inspectOnce(inspection: EarlyInspection, file: string): Promise<SourceInfo> {
  await using _ = inspection
  // awaited here: the inspection is disposed of when this function returns
  return await inspection.inspect(file, AbortSignal.timeout(cachedMs))
}

/** The inspection of one video that is still arriving. Leaves nothing running when disposed of. */
class EarlyInspection implements AsyncDisposable {
  readonly #config: Context['config']
  readonly #prefork: (container: Container) => PreforkedProbe
  readonly #begunAt = performance.now()
  #preforked: Promise<PreforkedProbe | undefined> | undefined

  constructor(config: Context['config'], prefork: (container: Container) => PreforkedProbe) {
    this.#config = config
    this.#prefork = prefork
  }

  /** Called while bytes arrive, with their number and the approximate total, or NaN. */
  grown(file: string, receivedBytes: number, totalBytes: number): void {
    keepIndexReaderReady()
    const bytesPerSecond = (receivedBytes * 1000) / (performance.now() - this.#begunAt)
    if (totalBytes - receivedBytes < bytesPerSecond * headStartSeconds) this.prepare(file)
  }

  /** Preforks ffprobe shortly before the upload ends. */
  prepare(file: string): void {
    if (this.#preforked) return
    this.#preforked = this.#preforkFor(file)
    // Only an optimization: without it, inspecting takes longer.
    this.#preforked.catch(() => undefined)
  }

  /** Inspects the complete file. Throws like `probe`. */
  async inspect(file: string, signal: AbortSignal): Promise<SourceInfo> {
    const preforked = await this.#preforked?.catch(() => undefined)
    return probe(toolsOf(this.#config), file, signal, preforked)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const preforked = await this.#preforked?.catch(() => undefined)
    await preforked?.run[Symbol.asyncDispose]()
  }

  /** Preforks ffprobe for the file; undefined if its first bytes are not those of a video. */
  async #preforkFor(file: string): Promise<PreforkedProbe | undefined> {
    const container = await sniffFile(file)
    return container && this.#prefork(container)
  }
}
