import { mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { tooLargeMessage } from '@kinora/contract/settings.ts'
import type { FastifyRequest } from 'fastify'
import { isDiskFull, noRoom } from '../../files/disk-full.ts'
import { AppError } from '../../errors.ts'
import type { ByteBudget } from '../../concurrency/byte-budget.ts'
import { GrowingFile } from '../../files/growing-file.ts'
import { ownName } from '../../process-identity.ts'
import { boundaryOf, MalformedForm, MultipartParser, type PartHead, type PartSink } from './multipart.ts'
import { type Pace, requirePace, smallBodyPace } from './receive-body.ts'
import { refuseSilence } from './silent-senders.ts'

export interface ReceivedFile {
  /** Where the bytes are, until `dispose`. */
  path: string
  /** As the sender called it: for messages only. */
  filename: string
  sizeBytes: number
}

export interface ReceivedForm {
  fields: Record<string, string>
  files: Record<string, ReceivedFile>
  /** Deletes every received file that nobody moved away. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface FormLimits {
  /** Directory for files on their way; made when missing. */
  directory: string
  /** Largest size of each file field; a file under another name is read and thrown away. */
  maxBytes: Record<string, number>
  /** Largest size of the whole body. */
  maxBodyBytes?: number
  /** The request is refused when no byte comes for so long. */
  idleSeconds: number
  /** The request is refused when it comes more slowly; a form without files must come like any other small body. */
  pace?: Pace
  /** Disk space that such forms share. */
  budget?: ByteBudget
  /**
   * Receives the texts so far after each one; throws for invalid ones. From then on files are not stored, and the form is
   * refused unless its other texts follow soon.
   */
  checkFields?: (fields: Record<string, string>) => void
  /** Told of each file as soon as it is whole, while later parts may still be on their way. */
  onFile?: (field: string, file: ReceivedFile) => void
  /** Told how much of a file is on the disk, again and again while it comes. */
  onGrowth?: (field: string, file: string, sizeBytes: number) => unknown
}

/**
 * Reads a multipart/form-data body: files go to `limits.directory` as they come, never whole into memory.
 *
 * Fields may come before or after files. A JSON or form-encoded body is a form without files.
 * Throws `too_large` for a file over its limit, `invalid` for a broken body or a field that comes twice; an abort by the
 * sender throws as well.
 * Whatever is thrown, no file stays behind.
 */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<ReceivedForm> {
  if (!isMultipart(request)) return withoutFiles(request)
  refuseOversized(request, limits)
  await mkdir(limits.directory, { recursive: true })
  const parts = new FormParts(limits)
  const pace = Object.keys(limits.maxBytes).length === 0 ? smallBodyPace : limits.pace
  using _ = pace ? requirePace(request, pace) : refuseSilence(request, limits.idleSeconds)
  try {
    // a request that ended by now would never tell the reader
    if (request.raw.destroyed) throw new Error('The sender is gone')
    const boundary = boundaryOf(request.headers['content-type'])
    if (boundary === undefined) throw new MalformedForm('No delimiter is named')
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

/** The fields of a body of any kind that a call without files takes. A file in it is read and thrown away. */
export async function readFields(request: FastifyRequest, idleSeconds: number): Promise<unknown> {
  if (!isMultipart(request) || isEmpty(request)) return request.body ?? {}
  const maxBodyBytes = request.routeOptions.bodyLimit
  await using form = await readForm(request, { directory: tmpdir(), maxBytes: {}, maxBodyBytes, idleSeconds })
  return form.fields
}

const isEmpty = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

/**
 * Gives every chunk of a body to `take`, which may answer a promise for room for more. Throws what it throws; the body then
 * goes on to its end, with nobody to take it.
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
  // events, for what iterates over a stream has chunks that came together copied into one
  body.on('data', onData)
  try {
    await Promise.race([finished(body, { writable: false, cleanup: true }), refused.promise])
  } finally {
    body.off('data', onData)
  }
}

/** Whether a request says that its body is a form with parts. */
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

/** What has come of a form. */
class FormParts {
  readonly fields = new Map<string, string>()
  readonly #limits: FormLimits
  readonly #files = new Map<string, GrowingFile>()
  readonly #received: Promise<[field: string, file: ReceivedFile]>[] = []
  #current: GrowingFile | undefined
  #storedBytes = 0
  #textBytes = 0
  /** The error of the texts so far. */
  #refusal: unknown
  #skippedBytes = 0
  readonly #names = new Set<string>()
  #isDiscarded = false

  constructor(limits: FormLimits) {
    this.#limits = limits
  }

  /** Throws `too_large` for one part too many, `invalid` for one that came already. */
  begin({ name, filename }: PartHead): PartSink {
    this.#current = undefined
    if (this.#names.has(name)) throw sentTwice(name)
    if (this.#names.add(name).size > maxParts) throw new AppError('too_large', 'The form has too many parts')
    if (filename === undefined) return this.#takeText(name)
    const isWanted = Object.hasOwn(this.#limits.maxBytes, name)
    return isWanted ? this.#takeFile(name, filename) : { write: () => undefined, end: () => undefined }
  }

  /** Undefined when more may come, or a promise for that. */
  room(): Promise<void> | undefined {
    return this.#current?.room() ?? (this.#current && this.#limits.budget?.room())
  }

  /** All parts have come: answers the files once they are written, none where texts are wrong. Throws what the disk says. */
  async end(): Promise<Record<string, ReceivedFile>> {
    if (this.#refusal !== undefined) return {}
    return Object.fromEntries(await Promise.all(this.#received))
  }

  /** Deletes every received file that nobody moved away. */
  async discard(): Promise<void> {
    this.#isDiscarded = true
    const bytes = this.#storedBytes
    this.#storedBytes = 0
    await Promise.all([...this.#files.values()].map((file) => file.discard()))
    this.#limits.budget?.giveBack(bytes)
  }

  /** Counts bytes of a file after an invalid text. Later texts get a chance to be checked too, so that one response names all. */
  #skip(bytes: number): void {
    this.#skippedBytes += bytes
    if (this.#skippedBytes > maxSkippedBytes) throw this.#refusal
  }

  #takeText(name: string): PartSink {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    return {
      write: (bytes) => {
        // copied, for a view would keep the whole chunk; what is longer is too long wherever a text may stand
        if (sizeBytes < maxTextBytes) chunks.push(Buffer.from(bytes.subarray(0, maxTextBytes - sizeBytes)))
        sizeBytes += bytes.length
        this.#textBytes += bytes.length
        if (this.#textBytes > textsMaxBytes)
          throw new AppError('too_large', 'The texts of the form are too large')
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
    const most = maxBytes[name] ?? 0
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
        if (sizeBytes > most) throw tooLarge(name, most)
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
        // looked at once all parts have come
        received.catch(() => undefined)
        this.#received.push(received)
      },
    }
  }
}

const maxParts = 28
const maxSkippedBytes = 64 * 1024
/** What is kept of one text. */
const maxTextBytes = 256 * 1024

/** Which of the two was meant is not ours to guess. */
export function sentTwice(field: string): AppError {
  const message = 'A field of the form was sent twice'
  return new AppError('invalid', message, { errors: [{ path: field, message }] })
}

function tooLarge(field: string, maxBytes: number): AppError {
  const message = tooLargeMessage(maxBytes)
  return new AppError('too_large', message, { errors: [{ path: field, message }] })
}

const bodyTooLarge = () => new AppError('too_large', 'The request is too large')

/** Refuses before the first byte what says of itself that it cannot fit. */
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
  // what else the disk refuses is not the sender's fault
  if (syscall !== undefined && code !== 'ECONNRESET') return error
  return new AppError('invalid', 'The form is malformed or incomplete', { cause: error })
}
