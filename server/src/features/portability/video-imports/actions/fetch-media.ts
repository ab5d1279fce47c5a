import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Site } from '@kinora/contract/operations/site.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { unacceptedFile } from '../../../videos/uploads/rules.ts'
import type { Config } from '../../../../context/config.ts'
import { SNIFF_BYTES, sniffFormat } from '@kinora/media/source/container.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { writeFully } from '@kinora/platform/files/write-fully.ts'
import { getOutside, isNotPublic, outsideError } from '@kinora/platform/http/outgoing/request-outside.ts'
import { assertMedia, continuesAt, fileTooLarge, noMediaFile, sizeOfFile, validatorOf } from '../rules.ts'

/** Requests for one file; those after the first continue it where the connection was lost. */
const maxRequests = 5
const pauseMs = 500

/** The average rate below which a server keeps others waiting, and how long it may be lower at first. */
const slowness = { bytesPerSecond: 64 * 1024, graceSeconds: 60 }

export interface Progress {
  receivedBytes: number
  /** Undefined where the server does not state it. */
  sizeBytes: number | undefined
}

interface Fetched {
  url: string
  file: string
  signal: AbortSignal
  /** Called once the size is stated, and then after every chunk. What it throws ends the transfer. */
  onProgress: (progress: Progress) => Promise<void>
  slowness?: { bytesPerSecond: number; graceSeconds: number }
}

type FetchConfig = Pick<Config, 'importAllowedAddresses' | 'uploadMaxBytes'> &
  Pick<Site, 'acceptedContainers'>

/**
 * Fetches a media file from an address that a user chose, in several requests if the connection is lost. Throws `invalid`
 * for what is no media file or not public, `unavailable` for what cannot be reached or is slower than `slowness`, and
 * `too_large` above the limit of uploads.
 */
export async function fetchMedia(config: FetchConfig, fetched: Fetched): Promise<void> {
  const file = await open(fetched.file, 'w+')
  try {
    const assertFast = rateWatch(fetched.slowness ?? slowness)
    const transfer: Transfer = {
      ...fetched,
      config,
      file,
      assertFast,
      receivedBytes: 0,
      validator: undefined,
    }
    for (let requests = 1; ; requests += 1) {
      try {
        return await receive(transfer)
      } catch (error) {
        fetched.signal.throwIfAborted()
        if (error instanceof LocalFailure) throw error.cause
        if (error instanceof AppError) throw error
        if (requests === maxRequests || isNotPublic(error)) throw outsideError(error)
        await wait(pauseMs * 2 ** (requests - 1), undefined, { signal: fetched.signal })
      }
    }
  } finally {
    await file.close()
  }
}

/** Wraps what the disk or `onProgress` threw: another request would not help. */
class LocalFailure extends Error {}

const locally = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new LocalFailure('The transfer cannot go on', { cause })
  })

/** Throws `unavailable` once all the bytes that it was called with are fewer than a server must have sent by now. */
function rateWatch({ bytesPerSecond, graceSeconds }: typeof slowness): (bytes: number) => void {
  const startedAt = performance.now()
  let received = 0
  return (bytes) => {
    received += bytes
    const seconds = (performance.now() - startedAt) / 1000
    if (seconds > graceSeconds && received < bytesPerSecond * seconds)
      throw new AppError(portabilityErrors.transferTooSlow)
  }
}

interface Transfer extends Omit<Fetched, 'file'> {
  config: FetchConfig
  file: FileHandle
  assertFast: (bytes: number) => void
  receivedBytes: number
  /** Of the version of which bytes were received. */
  validator: string | undefined
}

/** One request. Throws what is neither `AppError` nor `LocalFailure` if the rest of the file may be requested again. */
async function receive(transfer: Transfer): Promise<void> {
  const { url, file, signal, onProgress, config } = transfer
  const { uploadMaxBytes } = config
  const { validator } = transfer
  const canContinue = transfer.receivedBytes > 0 && validator !== undefined
  const range = canContinue ? { range: `bytes=${transfer.receivedBytes}-`, 'if-range': validator } : {}
  using received = await getOutside(url, {
    headers: { 'user-agent': 'Kinora', accept: 'video/*, audio/*, */*;q=0.5', ...range },
    allowedAddresses: config.importAllowedAddresses,
    signal,
  })
  const { response } = received
  const { statusCode = 0, headers } = response
  assertMedia(statusCode, headers)
  if (!continuesAt(statusCode, headers, transfer.receivedBytes)) {
    transfer.receivedBytes = 0
    await locally(file.truncate(0))
  }
  transfer.validator = validatorOf(headers)
  const sizeBytes = sizeOfFile(statusCode, headers)
  if ((sizeBytes ?? 0) > uploadMaxBytes) throw fileTooLarge(uploadMaxBytes)
  await locally(onProgress({ receivedBytes: transfer.receivedBytes, sizeBytes }))
  let isRecognized = transfer.receivedBytes >= SNIFF_BYTES
  for await (const chunk of response as AsyncIterable<Buffer>) {
    transfer.assertFast(chunk.length)
    if (transfer.receivedBytes + chunk.length > uploadMaxBytes) throw fileTooLarge(uploadMaxBytes)
    await locally(writeFully(file, chunk, transfer.receivedBytes))
    transfer.receivedBytes += chunk.length
    if (!isRecognized && transfer.receivedBytes >= SNIFF_BYTES) {
      await assertFormat(transfer)
      isRecognized = true
    }
    await locally(onProgress({ receivedBytes: transfer.receivedBytes, sizeBytes }))
  }
  if (sizeBytes !== undefined && transfer.receivedBytes < sizeBytes)
    throw new Error('The connection ended before the file did')
  await assertFormat(transfer)
}

/** Throws `invalid` unless the file begins like one of the formats that are uploaded. */
async function assertFormat({ file, config }: Transfer): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  const head = buffer.subarray(0, bytesRead)
  if (sniffFormat(head)) return
  if (/^\s*<(!doctype|html|\?xml)/i.test(head.toString('latin1'))) throw noMediaFile()
  throw unacceptedFile(config.acceptedContainers)
}
