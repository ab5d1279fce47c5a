import path from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import type { Container } from '../../../media/source/container.ts'
import { toolsOf } from '../../../media/process/ffmpeg.ts'
import { MAX_HELD_MS } from '../../../media/process/preforked-process.ts'
import { keepIndexReaderReady } from '../../../media/probe/index-process.ts'
import { type HeldProbe, holdProbe, probe, sniffFile } from '../../../media/probe/probe.ts'
import type { SourceInfo } from '../../../media/source/source-info.ts'

/** What a file is looked at with starts so long before its last byte is expected. */
const headStartSeconds = 3
/** Most of what comes. */
const likelyContainer: Container = 'mp4'
/** Who has sent the last byte publishes at once, or looks at the texts once more: then the file is looked at anew. */
const keptMs = 30_000
const maxKept = 16

interface KeptLook {
  look: EarlyLook
  source?: Promise<SourceInfo>
}

/**
 * Looks at videos that are still on their way: their senders wait for what is left to do after the last byte, and starting
 * what a file is looked at with takes longer than the look. One object for a web process.
 */
export class UploadLooks {
  readonly #config: Context['config']
  /** What waits for a file that somebody has chosen: one, however many have. */
  #awaiting: { held: HeldProbe; timer: NodeJS.Timeout } | undefined
  /** Of resumable uploads, which one request completes and another publishes, perhaps in another process. */
  readonly #kept = new LRUCache<string, KeptLook>({
    max: maxKept,
    ttl: keptMs,
    ttlAutopurge: true,
    dispose: ({ look, source }) => {
      if (!source) void look[Symbol.asyncDispose]()
    },
  })

  constructor({ config }: Pick<Context, 'config'>) {
    this.#config = config
  }

  /** Somebody will upload a video in a moment. */
  announce(): void {
    keepIndexReaderReady()
    if (this.#awaiting) return
    const timer = setTimeout(() => this.#endAwaiting(), MAX_HELD_MS)
    timer.unref()
    this.#awaiting = { held: this.#hold(likelyContainer), timer }
  }

  /** The look at a file that begins to come. */
  begin(): EarlyLook {
    return new EarlyLook(this.#config, (container) => this.#takeAwaiting(container) ?? this.#hold(container))
  }

  /** The last bytes of a resumable upload are on their way. */
  expect(uploadId: string, file: string): void {
    const look = this.begin()
    look.prepare(file)
    this.#kept.set(uploadId, { look })
  }

  /** They have come. */
  complete(uploadId: string, file: string): void {
    const look = this.#kept.get(uploadId)?.look ?? this.begin()
    const source = lookOnce(look, file)
    // looked at when it is taken; until then a failure is nobody's
    source.catch(() => undefined)
    this.#kept.set(uploadId, { look, source }, { noDisposeOnSet: true })
  }

  /** What an upload is that was completed a moment ago, in this process. */
  take(uploadId: string): Promise<SourceInfo> | undefined {
    const source = this.#kept.get(uploadId)?.source
    this.#kept.delete(uploadId)
    return source
  }

  /** Nobody publishes any more: what was prepared for it ends. */
  close(): void {
    this.#kept.clear()
    this.#endAwaiting()
  }

  #hold(container: Container): HeldProbe {
    return holdProbe(toolsOf(this.#config), container, path.join(this.#config.dataDir, 'incoming'))
  }

  #takeAwaiting(container: Container): HeldProbe | undefined {
    if (this.#awaiting?.held.container !== container) return undefined
    const { held, timer } = this.#awaiting
    clearTimeout(timer)
    this.#awaiting = undefined
    return held
  }

  #endAwaiting(): void {
    void this.#takeAwaiting(likelyContainer)?.run[Symbol.asyncDispose]()
  }
}

async function lookOnce(look: EarlyLook, file: string): Promise<SourceInfo> {
  await using _ = look
  // awaited here: what looks goes when this function ends
  return await look.look(file, AbortSignal.timeout(keptMs))
}

/** A look at one video that is still on its way. Disposed of, it leaves nothing running. */
class EarlyLook implements AsyncDisposable {
  readonly #config: Context['config']
  readonly #hold: (container: Container) => HeldProbe
  readonly #begunAt = performance.now()
  #held: Promise<HeldProbe | undefined> | undefined

  constructor(config: Context['config'], hold: (container: Container) => HeldProbe) {
    this.#config = config
    this.#hold = hold
  }

  /** Told, while the bytes come, how many have and how many will: about as many, or NaN. */
  grown(file: string, receivedBytes: number, totalBytes: number): void {
    keepIndexReaderReady()
    const bytesPerSecond = (receivedBytes * 1000) / (performance.now() - this.#begunAt)
    if (totalBytes - receivedBytes < bytesPerSecond * headStartSeconds) this.prepare(file)
  }

  /** The last bytes are on their way. */
  prepare(file: string): void {
    if (this.#held) return
    this.#held = this.#holdFor(file)
    // without it the look takes longer, and that is all
    this.#held.catch(() => undefined)
  }

  /** The file is whole. Throws like `probe`. */
  async look(file: string, signal: AbortSignal): Promise<SourceInfo> {
    const held = await this.#held?.catch(() => undefined)
    return probe(toolsOf(this.#config), file, signal, held)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const held = await this.#held?.catch(() => undefined)
    await held?.run[Symbol.asyncDispose]()
  }

  /** An ffprobe for the file; undefined where its first bytes are no video's. */
  async #holdFor(file: string): Promise<HeldProbe | undefined> {
    const container = await sniffFile(file)
    return container && this.#hold(container)
  }
}
