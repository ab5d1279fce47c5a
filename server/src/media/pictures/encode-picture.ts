import { fileURLToPath } from 'node:url'
import type { PictureKind } from '@kinora/contract/pictures.ts'
import { FairSemaphore } from '../../platform/fair-semaphore.ts'
import { WorkerProcess } from '../process/worker-process.ts'

export interface PictureRequest {
  file: string
  kind: PictureKind
  /** Accepted formats, as sharp names them. */
  formats: readonly string[]
  maxMegapixels: number
}

export interface PictureSize {
  width: number
  webp: Uint8Array
  jpg: Uint8Array
}

export type PictureRefusal = 'no_picture' | 'too_many_pixels' | 'too_many_scans' | 'too_costly'

export type PictureAnswer = {
  outcome: { sizes: PictureSize[] } | { refused: PictureRefusal } | { error: string }
  /** The most that the process has had so far. */
  memoryBytes: number
}

/** The file cannot be a picture here. */
export class PictureRefused extends Error {
  readonly reason: PictureRefusal

  constructor(reason: PictureRefusal, options?: { cause: unknown }) {
    super(`the picture was refused: ${reason}`, options)
    this.name = 'PictureRefused'
    this.reason = reason
  }
}

/** Limits of one picture. The timeout is for a process that hangs without using processor time. */
const limits = { cpuSeconds: 10, timeoutMs: 30_000 }
const memoryBytes = 2 ** 30

/** Pictures decoded at a time for one sender: of three places, one is left to others. */
const perSender = 2
const byAddress = new FairSemaphore({ total: 3, perKey: perSender })
const byAccount = new FairSemaphore({ total: Number.POSITIVE_INFINITY, perKey: perSender })

/** Starting a decoder takes longer than decoding most pictures. */
const keptDecoders = 2
const idleMs = 10 * 60_000
/** A decoder that has become larger than this, or older, is replaced. */
const recycleBytes = 256 * 1024 * 1024
const recyclePictures = 200

type Decoder = { process: WorkerProcess<PictureRequest, PictureAnswer>; pictures: number }

const idle = new Map<Decoder, NodeJS.Timeout>()

/** Where a picture comes from. */
export interface PictureSender {
  address: string
  /** The id of the account, where there is one already. */
  account?: string
}

/**
 * Decodes a picture in a child process and encodes it in every size of its kind. Addresses and accounts share the decoders
 * fairly: each has at most two pictures decoded at once.
 *
 * Throws `PictureRefused`.
 */
export function encodePicture(
  request: PictureRequest,
  { address, account }: PictureSender,
): Promise<PictureSize[]> {
  const run = () => byAddress.run(address, () => decode(request))
  return account === undefined ? run() : byAccount.run(account, run)
}

async function decode(request: PictureRequest): Promise<PictureSize[]> {
  const decoder = takeIdle() ?? startDecoder()
  const { outcome, memoryBytes: used } = await decoder.process
    .ask(request, limits)
    .catch((cause: unknown) => {
      // it could not even be started
      if (cause instanceof Error && 'syscall' in cause) throw cause
      // killed for its time, or ended by the memory limit
      throw new PictureRefused('too_costly', { cause })
    })
  decoder.pictures += 1
  const mustRecycle = used > recycleBytes || decoder.pictures >= recyclePictures
  if (mustRecycle || idle.size >= keptDecoders) decoder.process.end()
  else keep(decoder)
  if ('error' in outcome) throw new Error(outcome.error)
  if ('refused' in outcome) throw new PictureRefused(outcome.refused)
  return outcome.sizes
}

function startDecoder(): Decoder {
  const script = fileURLToPath(new URL('./picture-decoder.ts', import.meta.url))
  return {
    process: new WorkerProcess({ script, role: 'picture-decoder', heapMegabytes: 128, memoryBytes }),
    pictures: 0,
  }
}

function takeIdle(): Decoder | undefined {
  const [decoder] = idle.keys()
  if (!decoder) return undefined
  clearTimeout(idle.get(decoder))
  idle.delete(decoder)
  return decoder
}

function keep(decoder: Decoder): void {
  const leave = () => {
    clearTimeout(idle.get(decoder))
    idle.delete(decoder)
    decoder.process.end()
  }
  const timer = setTimeout(leave, idleMs)
  timer.unref()
  idle.set(decoder, timer)
  decoder.process.rest(leave)
}
