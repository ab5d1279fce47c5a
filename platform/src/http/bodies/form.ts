import { mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { errors } from '@kinora/contract/errors.ts'
import { formatSizeLimit } from '@kinora/contract/settings.ts'
import type { FastifyRequest } from 'fastify'
import { isDiskFull, noRoom } from '../../files/disk-full.ts'
import { AppError } from '../../errors.ts'
import type { ByteBudget } from '../../concurrency/byte-budget.ts'
import { GrowingFile } from '../../files/growing-file.ts'
import { ownName } from '../../process-identity.ts'
import { boundaryOf, MalformedForm, MultipartParser, type PartHead, type PartSink } from './multipart.ts'
import { type Pace, requirePace, smallBodyPace } from './receive-body.ts'
import { rejectWhenIdle } from './silent-senders.ts'

export interface ReceivedFile {
  /** Path of the received file until the form is disposed. */
  path: string
  /** The client's file name; use it in messages only. */
  filename: string
  sizeBytes: number
}

export interface ReceivedForm {
  fields: Record<string, string>
  files: Record<string, ReceivedFile>
  /** Deletes the received files that were not moved. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface FormLimits {
  /** Directory for received files; created if missing. */
  directory: string
  /** Size limit per file field. Files in other fields are read and discarded. */
  maxBytes: Record<string, number>
  /** Size limit of the whole body. */
  maxBodyBytes?: number
  /** The request is rejected after so long without a byte. */
  idleSeconds: number
  /** Minimum speed. Forms without files use `smallBodyPace`. */
  pace?: Pace
  /** Limit of received bytes of all such forms together. */
  budget?: ByteBudget
  /**
   * Called with the texts received so far after each text; throws for invalid ones. After that, files are no longer
   * stored, and the form is rejected unless the other texts follow soon.
   */
  checkFields?: (fields: Record<string, string>) => void
  /** Called when a file is complete; later parts may still be arriving. */
  onFile?: (field: string, file: ReceivedFile) => void
  /** Called with the bytes written so far while a file is being received. */
  onGrowth?: (field: string, file: string, sizeBytes: number) => unknown
}

/**
 * Reads a multipart/form-data body and streams its files to `limits.directory`.
 *
 * Fields may come before or after files. A JSON or form-encoded body is a form without files.
 * Throws `too_large` for a file over its limit, and `invalid` for a malformed or aborted body or a repeated field. After
 * an error no file is left.
 */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<ReceivedForm> {
  if (!isMultipart(request)) return withoutFiles(request)
  refuseOversized(request, limits)
  await mkdir(limits.directory, { recursive: true })
  const parts = new FormParts(limits)
  const pace = Object.keys(limits.maxBytes).length === 0 ? smallBodyPace : limits.pace
  using _ = pace ? requirePace(request, pace) : rejectWhenIdle(request, limits.idleSeconds)
  try {
    // a destroyed request emits no further events
    if (request.raw.destroyed) throw new Error('The client closed the connection')
    const boundary = boundaryOf(request.headers['content-type'])
    if (boundary === undefined) throw new MalformedForm('The content type has no boundary')
    const parser = new MultipartParser(boundary, (head) => parts.begin(head))
    let bodyBytes = 0
    await takeChunks(request.raw, (chunk) => {
      bodyBytes += chunk.length
      if (bodyBytes > (limits.maxBodyBytes ?? Infinity)) throw bodyTooLarge()
      parser.push(chunk)
      return parts.room()
    })
    parser.end()
    const files = await parts.end()
    return { fields: Object.fromEntries(parts.fields), files, [Symbol.asyncDispose]: () => parts.discard() }
  } catch (error) {
    await parts.discard()
    throw toFailure(error)
  }
}

/** Returns the fields of a body in any supported encoding. Files are read and discarded. */
export async function readFields(request: FastifyRequest, idleSeconds: number): Promise<unknown> {
  if (!isMultipart(request) || isEmpty(request)) return request.body ?? {}
  const maxBodyBytes = request.routeOptions.bodyLimit
  await using form = await readForm(request, { directory: tmpdir(), maxBytes: {}, maxBodyBytes, idleSeconds })
  return form.fields
}

const isEmpty = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

/**
 * Passes every chunk of a body to `take`, and pauses the body while a promise that it returns is pending. Rethrows its
 * errors; the rest of the body is then discarded.
 */
async function takeChunks(
  body: IncomingMessage,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const refused = Promise.withResolvers<never>()
  const onData = (chunk: Buffer) => {
    try {
      const room = take(chunk)
      if (!room) return
      body.pause()
      room.then(() => body.resume(), refused.reject)
    } catch (error) {
      refused.reject(error)
    }
  }
  // events instead of async iteration, which copies buffered chunks into one
  body.on('data', onData)
  try {
    await Promise.race([finished(body, { writable: false, cleanup: true }), refused.promise])
  } finally {
    body.off('data', onData)
  }
}

/** Whether the content type is multipart/form-data. */
export function isMultipart({ headers }: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
}

function withoutFiles(request: FastifyRequest): ReceivedForm {
  const body = typeof request.body === 'object' && request.body !== null ? request.body : {}
  const fields = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { fields: Object.fromEntries(fields), files: {}, [Symbol.asyncDispose]: async () => {} }
}

/** The received parts of a form. */
class FormParts {
  readonly fields = new Map<string, string>()
  readonly #limits: FormLimits
  readonly #files = new Map<string, GrowingFile>()
  readonly #received: Promise<[field: string, file: ReceivedFile]>[] = []
  #current: GrowingFile | undefined
  #storedBytes = 0
  #textBytes = 0
  /** The error of `checkFields`. */
  #refusal: unknown
  #skippedBytes = 0
  readonly #names = new Set<string>()
  #isDiscarded = false

  constructor(limits: FormLimits) {
    this.#limits = limits
  }

  /** Throws `too_large` for too many parts, `invalid` for a repeated one. */
  begin({ name, filename }: PartHead): PartSink {
    this.#current = undefined
    if (this.#names.has(name)) throw sentTwice(name)
    if (this.#names.add(name).size > maxParts) throw new AppError(errors.formTooManyParts)
    if (filename === undefined) return this.#takeText(name)
    const isWanted = Object.hasOwn(this.#limits.maxBytes, name)
    return isWanted ? this.#takeFile(name, filename) : { write: () => undefined, end: () => undefined }
  }

  /** Undefined if more bytes may be written, otherwise a promise of that. */
  room(): Promise<void> | undefined {
    return this.#current?.room() ?? (this.#current && this.#limits.budget?.room())
  }

  /** Returns the files once they are written; none if the texts are invalid. Throws if writing failed. */
  async end(): Promise<Record<string, ReceivedFile>> {
    if (this.#refusal !== undefined) return {}
    return Object.fromEntries(await Promise.all(this.#received))
  }

  /** Deletes the received files that were not moved. */
  async discard(): Promise<void> {
    this.#isDiscarded = true
    const bytes = this.#storedBytes
    this.#storedBytes = 0
    await Promise.all([...this.#files.values()].map((file) => file.discard()))
    this.#limits.budget?.release(bytes)
  }

  /** Skips some bytes of files after an invalid text, so that later texts are checked and one response lists all errors. */
  #skip(bytes: number): void {
    this.#skippedBytes += bytes
    if (this.#skippedBytes > maxSkippedBytes) throw this.#refusal
  }

  #takeText(name: string): PartSink {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    return {
      write: (bytes) => {
        // copied, because a view would keep the whole chunk in memory; no text may be longer than the limit
        if (sizeBytes < maxTextBytes) chunks.push(Buffer.from(bytes.subarray(0, maxTextBytes - sizeBytes)))
        sizeBytes += bytes.length
        this.#textBytes += bytes.length
        if (this.#textBytes > textsMaxBytes) throw new AppError(errors.formTextsTooLarge)
      },
      end: () => {
        this.fields.set(name, Buffer.concat(chunks).toString('utf8'))
        try {
          this.#limits.checkFields?.(Object.fromEntries(this.fields))
        } catch (error) {
          this.#refusal = error
        }
      },
    }
  }

  #takeFile(name: string, filename: string): PartSink {
    const { directory, maxBytes, onFile, onGrowth } = this.#limits
    const path = join(directory, ownName())
    const file = new GrowingFile(path, (writtenBytes) => onGrowth?.(name, path, writtenBytes))
    this.#files.set(name, file)
    this.#current = file
    const limit = maxBytes[name] ?? 0
    let sizeBytes = 0
    const receive = async (): Promise<[string, ReceivedFile]> => {
      await file.end()
      const received = { path, filename, sizeBytes }
      if (!this.#isDiscarded) onFile?.(name, received)
      return [name, received]
    }
    return {
      write: (bytes) => {
        sizeBytes += bytes.length
        if (sizeBytes > limit) throw tooLarge(name, limit)
        if (this.#refusal !== undefined) {
          this.#skip(bytes.length)
          return
        }
        this.#storedBytes += bytes.length
        this.#limits.budget?.take(bytes.length)
        file.write(bytes)
      },
      end: () => {
        const received = receive()
        // a failure is thrown by `end`
        received.catch(() => undefined)
        this.#received.push(received)
      },
    }
  }
}

const maxParts = 28
const maxSkippedBytes = 64 * 1024
/** Longer texts are truncated; every text field has a smaller limit. */
const maxTextBytes = 256 * 1024

export function sentTwice(field: string): AppError {
  return new AppError(errors.fieldSentTwice, { path: field })
}

function tooLarge(field: string, maxBytes: number): AppError {
  return new AppError(errors.fileTooLarge, { limit: formatSizeLimit(maxBytes) }, { path: field })
}

const bodyTooLarge = () => new AppError(errors.requestTooLarge)

/** Rejects a request by its Content-Length before reading it. */
function refuseOversized(request: FastifyRequest, { maxBytes, maxBodyBytes = Infinity }: FormLimits): void {
  if (Number(request.headers['content-length']) > maxBodyBytes) throw bodyTooLarge()
  const [largest] = Object.entries(maxBytes).toSorted(([, a], [, b]) => b - a)
  const most = Object.values(maxBytes).reduce((sum, bytes) => sum + bytes, textsMaxBytes)
  if (largest && Number(request.headers['content-length']) > most) throw tooLarge(...largest)
}

const textsMaxBytes = 1024 * 1024

function toFailure(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code, syscall } = (error ?? {}) as { code?: string; syscall?: string }
  if (isDiskFull(error)) return noRoom(error)
  // other errors of the disk are not the client's fault
  if (syscall !== undefined && code !== 'ECONNRESET') return error
  return new AppError(errors.malformedForm, { cause: error })
}
