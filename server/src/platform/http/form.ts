import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { tooLargeMessage } from '@kinora/contract/settings.ts'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { isDiskFull, noRoom } from '../disk-full.ts'
import { AppError } from '../errors.ts'
import { Flushing } from '../flushing.ts'
import { ownName } from '../process-identity.ts'

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
  /** The connection is ended when no byte comes for so long. */
  idleSeconds: number
  /** Told of each file as soon as it is whole, while later parts may still be on their way. */
  onFile?: (field: string, file: ReceivedFile) => void
  /** Told how much of a file is on the disk, again and again while it comes. */
  onGrowth?: (field: string, file: string, sizeBytes: number) => unknown
}

const held = new Set<string>()

/** Whether a form of this process still needs the file, however long ago it came: the next one may take hours. */
export function isHeldByForm(file: string): boolean {
  return held.has(file)
}

/**
 * Reads a multipart/form-data body: files go to `limits.directory` as they come, never whole into memory.
 *
 * Fields may come before or after files. A JSON or form-encoded body is a form without files.
 * Throws `too_large` for a file over its limit, `invalid` for a broken body; an abort by the sender throws as well.
 * Whatever is thrown, no file stays behind.
 */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<ReceivedForm> {
  if (!request.isMultipart()) return withoutFiles(request)
  refuseOversized(request, limits)
  await mkdir(limits.directory, { recursive: true })
  const fields: Record<string, string> = {}
  const files: Record<string, ReceivedFile> = {}
  const dispose = async () => {
    await Promise.all(
      Object.values(files).map(async (file) => {
        await rm(file.path, { force: true })
        held.delete(file.path)
      }),
    )
  }
  using _ = endWhenIdle(request, limits.idleSeconds)
  try {
    // a request that ended by now would never tell the reader
    if (request.raw.destroyed) throw new Error('The sender is gone')
    for await (const part of request.parts()) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else if (files[part.fieldname] || !Object.hasOwn(limits.maxBytes, part.fieldname)) part.file.resume()
      else {
        const file = await receive(part, limits)
        files[part.fieldname] = file
        limits.onFile?.(part.fieldname, file)
      }
    }
  } catch (error) {
    await dispose()
    throw toFailure(error)
  }
  return { fields, files, [Symbol.asyncDispose]: dispose }
}

function withoutFiles(request: FastifyRequest): ReceivedForm {
  const body = typeof request.body === 'object' && request.body !== null ? request.body : {}
  const fields = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { fields: Object.fromEntries(fields), files: {}, [Symbol.asyncDispose]: async () => {} }
}

/** Ends the connection when no byte comes for so long, until disposed. */
export function endWhenIdle({ raw }: FastifyRequest, seconds: number): Disposable {
  const end = () => raw.destroy(new Error('The sender went silent'))
  raw.socket.setTimeout(seconds * 1000).on('timeout', end)
  return {
    [Symbol.dispose]: () => {
      raw.socket.setTimeout(0).off('timeout', end)
    },
  }
}

async function receive(part: MultipartFile, limits: FormLimits): Promise<ReceivedFile> {
  const target = path.join(limits.directory, ownName())
  const maxBytes = limits.maxBytes[part.fieldname] ?? 0
  let sizeBytes = 0
  // opened first: a stream that opens by itself could still make the file after its removal
  const file = await open(target, 'wx')
  held.add(target)
  const flushing = new Flushing(file)
  const writing = file.createWriteStream({ highWaterMark: 256 * 1024 })
  try {
    await pipeline(
      part.file,
      async function* count(source) {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          sizeBytes += chunk.length
          if (sizeBytes > maxBytes) throw tooLarge(part.fieldname, maxBytes)
          await flushing.noteBytes(chunk.length)
          yield chunk
          limits.onGrowth?.(part.fieldname, target, writing.bytesWritten)
        }
        await flushing.end()
      },
      writing,
    )
  } catch (error) {
    await rm(target, { force: true })
    held.delete(target)
    throw error
  }
  return { path: target, filename: part.filename, sizeBytes }
}

function tooLarge(field: string, maxBytes: number): AppError {
  const message = tooLargeMessage(maxBytes)
  return new AppError('too_large', message, { errors: [{ path: field, message }] })
}

/** Refuses before the first byte what says of itself that it cannot fit. */
function refuseOversized(request: FastifyRequest, { maxBytes }: FormLimits): void {
  const [largest] = Object.entries(maxBytes).toSorted(([, a], [, b]) => b - a)
  const most = Object.values(maxBytes).reduce((sum, bytes) => sum + bytes, textsMaxBytes)
  if (largest && Number(request.headers['content-length']) > most) throw tooLarge(...largest)
}

const textsMaxBytes = 1024 * 1024

function toFailure(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code, syscall, statusCode } = (error ?? {}) as {
    code?: string
    syscall?: string
    statusCode?: number
  }
  if (isDiskFull(error)) return noRoom(error)
  // what else the disk refuses is not the sender's fault
  if (syscall !== undefined && code !== 'ECONNRESET') return error
  if (statusCode === 413) return new AppError('too_large', 'The request is too large', { cause: error })
  return new AppError('invalid', 'The form is malformed or incomplete', { cause: error })
}
