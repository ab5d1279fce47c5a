import path from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import type { Container } from '../../../media/container.ts'
import { MAX_HELD_MS } from '../../../media/held-tool.ts'
import { keepIndexReaderReady } from '../../../media/index-process.ts'
import { type HeldProbe, holdProbe, probe, sniffFile } from '../../../media/probe.ts'
import type { SourceInfo } from '../../../media/source-info.ts'

type LookContext = Pick<Context, 'config'>

/** What a file is looked at with starts so long before its last byte is expected. */
const headStartSeconds = 3

/**
 * A look at a video that is still on its way: its sender waits for what is left to do after the last byte, and starting
 * what a file is looked at with takes longer than the look. Disposed of, it leaves nothing running.
 */
export class EarlyLook implements AsyncDisposable {
  readonly #config: Context['config']
  readonly #begunAt = performance.now()
  #held: Promise<HeldProbe | undefined> | undefined

  constructor({ config }: LookContext) {
    this.#config = config
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
    this.#held = holdFor(this.#config, file)
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
}

/** An ffprobe for the file; undefined where its first bytes are no video's. */
async function holdFor(config: Context['config'], file: string): Promise<HeldProbe | undefined> {
  const container = await sniffFile(file)
  return container && (takeAwaiting(container) ?? hold(config, container))
}

const hold = (config: Context['config'], container: Container) =>
  holdProbe(toolsOf(config), container, path.join(config.dataDir, 'incoming'))

/** Most of what comes. */
const likelyContainer: Container = 'mp4'

/** What waits for a file that somebody has chosen: one, however many have. */
let awaiting: { held: HeldProbe; timer: NodeJS.Timeout } | undefined

/** Somebody will upload a video in a moment: what looks at it is started meanwhile. */
export function awaitUpload({ config }: LookContext): void {
  keepIndexReaderReady()
  if (awaiting) return
  const timer = setTimeout(endAwaiting, MAX_HELD_MS)
  timer.unref()
  awaiting = { held: hold(config, likelyContainer), timer }
}

function takeAwaiting(container: Container): HeldProbe | undefined {
  if (awaiting?.held.container !== container) return undefined
  const { held, timer } = awaiting
  clearTimeout(timer)
  awaiting = undefined
  return held
}

function endAwaiting(): void {
  void takeAwaiting(likelyContainer)?.run[Symbol.asyncDispose]()
}

const toolsOf = ({ ffmpegPath, ffprobePath }: Context['config']) => ({
  ffmpeg: ffmpegPath,
  ffprobe: ffprobePath,
})

/** Who has sent the last byte publishes at once, or looks at the texts once more: then the file is looked at anew. */
const keptMs = 30_000
const maxKept = 16

interface KeptLook {
  look: EarlyLook
  source?: Promise<SourceInfo>
}

/** Of resumable uploads, which one request completes and another publishes, perhaps in another process. */
const kept = new LRUCache<string, KeptLook>({
  max: maxKept,
  ttl: keptMs,
  ttlAutopurge: true,
  dispose: ({ look, source }) => {
    if (!source) void look[Symbol.asyncDispose]()
  },
})

/** The last bytes of an upload are on their way. */
export function expectUpload(context: LookContext, uploadId: string, file: string): void {
  const look = new EarlyLook(context)
  look.prepare(file)
  kept.set(uploadId, { look })
}

/** They have come. */
export function lookAtUpload(context: LookContext, uploadId: string, file: string): void {
  const look = kept.get(uploadId)?.look ?? new EarlyLook(context)
  const source = lookOnce(look, file)
  // looked at when it is taken; until then a failure is nobody's
  source.catch(() => undefined)
  kept.set(uploadId, { look, source }, { noDisposeOnSet: true })
}

async function lookOnce(look: EarlyLook, file: string): Promise<SourceInfo> {
  await using _ = look
  // awaited here: what looks goes when this function ends
  return await look.look(file, AbortSignal.timeout(keptMs))
}

/** What an upload is that was completed a moment ago, in this process. */
export function takeLook(uploadId: string): Promise<SourceInfo> | undefined {
  const source = kept.get(uploadId)?.source
  kept.delete(uploadId)
  return source
}

/** Nobody publishes any more: what was prepared for it ends. */
export function forgetLooks(): void {
  kept.clear()
  endAwaiting()
}
