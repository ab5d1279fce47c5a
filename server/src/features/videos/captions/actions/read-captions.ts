import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { type FieldError } from '@kinora/contract/failure.ts'
import { errors } from '@kinora/contract/errors.ts'
import { PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'
import { ProcessPool } from '@kinora/platform/sandbox/process-pool.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'
import { AppError, fieldError } from '@kinora/platform/errors.ts'
import { toVtt } from '@kinora/media/captions/to-vtt.ts'
import { findMoments, type FoundMoment, type MomentSource } from '../rules.ts'

export type CaptionRequest =
  { file: string; language: string } | { term: string; sources: MomentSource[]; limit: number }

export type CaptionResponse = { vtt: string } | { moments: FoundMoment[] } | { refusal: FieldError[] }

/** Texts up to this size take this process less than 0.03 s, and a child process more. */
const smallCharacters = 32_768

/** Limits of one request. Two MB of captions, or two of the longest files searched, take less than 2 s. */
const limits = { cpuSeconds: 10, timeoutMs: 60_000 }
const memoryBytes = 2 ** 31
const idleMs = 10 * 60_000

const script = fileURLToPath(new URL('./caption-reader.ts', import.meta.url))
const readers = new ProcessPool<CaptionRequest, CaptionResponse>(
  () => new PreforkedProcess({ script, role: 'caption-reader', heapMegabytes: 512, memoryBytes }),
  { maxIdle: 1, idleMs },
)
/** An address or account has one of two readers. */
const byKey = new FairSemaphore({ total: 2, perKey: 1 })

/** Sends a request to a process of its own. Throws `unavailable` where that exceeds its limits, and `invalid` for refused files. */
async function read(key: string, request: CaptionRequest) {
  const response = await byKey
    .run(key, () => readers.request(request, limits))
    .catch((cause: unknown) => {
      throw new AppError(errors.unavailable, { cause })
    })
  if ('refusal' in response) {
    const [first = fieldError('captions', videoErrors.captionsUnreadable, { line: 1 })] = response.refusal
    throw AppError.from(first, { errors: response.refusal })
  }
  return response
}

/** A file of captions as WebVTT. Throws `invalid` with each line that is wrong. `key` names the account. */
export async function readCaptions(key: string, file: string, language: string): Promise<string> {
  const { size } = await stat(file)
  if (size <= smallCharacters) return toVtt(await readFile(file), language)
  const response = await read(key, { file, language })
  return 'vtt' in response ? response.vtt : ''
}

/** Moments with all words of a term, one of each video and at most `limit`. `key` names the address. */
export async function readMoments(
  key: string,
  term: string,
  sources: MomentSource[],
  limit: number,
): Promise<FoundMoment[]> {
  const characters = sources.reduce((sum, { text }) => sum + text.length, 0)
  if (characters <= smallCharacters) return findMoments(term, sources, limit)
  const response = await read(key, { term, sources, limit })
  return 'moments' in response ? response.moments : []
}
