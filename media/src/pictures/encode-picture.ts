import { fileURLToPath } from 'node:url'
import type { PictureKind } from '@kinora/contract/pictures.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'
import { ProcessPool } from '@kinora/platform/sandbox/process-pool.ts'
import { PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'

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

export type PictureResponse = {
  outcome: { sizes: PictureSize[] } | { refused: PictureRefusal } | { error: string }
  /** The peak of the process so far. */
  memoryBytes: number
  /** Number of pictures the process has decoded. */
  pictures: number
}

/** The file is not accepted as a picture. */
export class PictureRefused extends Error {
  readonly reason: PictureRefusal

  constructor(reason: PictureRefusal, options?: { cause: unknown }) {
    super(`the picture was refused: ${reason}`, options)
    this.name = 'PictureRefused'
    this.reason = reason
  }
}

/** Limits of one picture. The timeout is for a process that hangs, and far above what a busy machine takes. */
const limits = { cpuSeconds: 10, timeoutMs: 60_000 }
const memoryBytes = 2 ** 30

/** Starting a decoder takes longer than decoding most pictures. */
const idleMs = 10 * 60_000
/** A decoder larger or older than this is replaced. */
const recycleBytes = 256 * 1024 * 1024
const recyclePictures = 200

/** Pictures without an account are decoded at lower priority than anything else. */
const anonymousNiceness = 10

/** For pictures of accounts. One address or account uses at most two of the three slots. */
const ofAccounts = {
  decoders: decodersWith({ maxIdle: 2 }),
  byAddress: new FairSemaphore({ total: 3, perKey: 2 }),
  byAccount: new FairSemaphore({ total: Number.POSITIVE_INFINITY, perKey: 2 }),
}

/** For pictures of registrations. */
const ofRegistrations = {
  decoders: decodersWith({ maxIdle: 1, niceness: anonymousNiceness }),
  byAddress: new FairSemaphore({ total: 2, perKey: 1 }),
}

/** Sender of a picture. */
export interface PictureSender {
  address: string
  /** The account id, if there is an account. */
  account?: string
}

/**
 * Decodes a picture in a child process and encodes it in every size of its kind. Addresses and accounts share the
 * decoders fairly. Registrations have decoders of their own, so that they delay no account.
 *
 * Throws `PictureRefused`, or the signal's reason if the request was aborted.
 */
export function encodePicture(
  request: PictureRequest,
  { address, account }: PictureSender,
  signal?: AbortSignal,
): Promise<PictureSize[]> {
  const { byAddress, decoders } = account === undefined ? ofRegistrations : ofAccounts
  const work = () => byAddress.run(address, () => decode(decoders, request, signal), signal)
  return account === undefined ? work() : ofAccounts.byAccount.run(account, work, signal)
}

type Decoders = ProcessPool<PictureRequest, PictureResponse>

async function decode(
  decoders: Decoders,
  request: PictureRequest,
  signal: AbortSignal | undefined,
): Promise<PictureSize[]> {
  const { outcome } = await decoders.request(request, { ...limits, signal }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    // the process could not be started
    if (cause instanceof Error && 'syscall' in cause) throw cause
    // killed by the timeout or ended by the memory limit
    throw new PictureRefused('too_costly', { cause })
  })
  if ('error' in outcome) throw new Error(outcome.error)
  if ('refused' in outcome) throw new PictureRefused(outcome.refused)
  return outcome.sizes
}

function decodersWith({ maxIdle, niceness }: { maxIdle: number; niceness?: number }): Decoders {
  const script = fileURLToPath(new URL('./picture-decoder.ts', import.meta.url))
  const options = { script, role: 'picture-decoder', heapMegabytes: 128, memoryBytes, niceness }
  return new ProcessPool(() => new PreforkedProcess(options), {
    maxIdle,
    idleMs,
    mustEnd: ({ memoryBytes: used, pictures }) => used > recycleBytes || pictures >= recyclePictures,
  })
}
