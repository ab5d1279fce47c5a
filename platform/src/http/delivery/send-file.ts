import { close, fstat, fstatSync, open, read, type Stats } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { codeOf } from '../../errors.ts'
import { etagOf, storageUnavailable } from '../../storage/local.ts'
import { allowsPart, parseRange } from './byte-range.ts'
import { matchesEtag, meetsIfMatch } from './content-negotiation.ts'

const openFile = promisify(open)
const statFile = promisify(fstat)
const closeFile = promisify(close)

/** Content type and caching of an object. `nosniff` keeps browsers from treating it as HTML. */
export interface MediaHeaders {
  type: string
  cacheControl: string
}

const chunkBytes = 512 * 1024
/** Unused buffers kept for later responses. */
const pooledBuffers = 32
/** Files kept open; also bounds how long a deleted file keeps its disk space. */
const openFiles = 512
const openMs = 30_000

/** A reference-counted open file. It is closed when it has left the cache and has no readers. */
class OpenFile {
  readonly fd: number
  readonly stats: Stats
  #readers = 0
  #isDropped = false

  constructor(fd: number, stats: Stats) {
    this.fd = fd
    this.stats = stats
  }

  retain(): void {
    this.#readers += 1
  }

  release(): void {
    this.#readers -= 1
    this.#closeIfUnused()
  }

  drop(): void {
    this.#isDropped = true
    this.#closeIfUnused()
  }

  #closeIfUnused(): void {
    // The file was only read, so a failed close loses nothing.
    if (this.#isDropped && this.#readers === 0) closeFile(this.fd).catch(() => undefined)
  }
}

/**
 * Sends files and byte ranges. Open files and buffers are reused, because opening and allocating would cost more than
 * reading. For files that are never modified in place.
 */
export class FileSender {
  readonly #files = new LRUCache<string, OpenFile>({
    max: openFiles,
    ttl: openMs,
    ttlAutopurge: true,
    dispose: (file) => file.drop(),
  })
  readonly #buffers: Buffer[] = []

  /** Sends the file. Returns false, without a response, if it does not exist. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    headers: MediaHeaders,
  ): Promise<boolean> {
    const file = await this.#openFile(path)
    if (!file) return false
    try {
      const { stats } = file
      const part = startResponse(request, reply, { ...headers, etag: etagOf(stats), sizeBytes: stats.size })
      if (part) await this.#stream(reply, file, part.start, part.end)
    } catch (error) {
      closeIncomplete(reply)
      throw error
    } finally {
      file.release()
    }
    return true
  }

  /** Closes the files without readers. */
  close(): void {
    this.#files.clear()
  }

  /** Returns the file, retained for the caller; undefined if it does not exist. */
  async #openFile(path: string): Promise<OpenFile | undefined> {
    const known = this.#files.get(path)
    if (known) {
      known.retain()
      if (hasName(known.fd)) return known
      known.release()
      if (this.#files.peek(path) === known) this.#files.delete(path)
    }
    try {
      const fd = await openFile(path, 'r')
      const file = new OpenFile(fd, await statFile(fd))
      file.retain()
      this.#files.set(path, file)
      return file
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw codeOf(error) === 'ENOTDIR' ? storageUnavailable(error) : error
    }
  }

  async #stream(reply: FastifyReply, file: OpenFile, start: number, end: number): Promise<void> {
    const buffer = this.#buffers.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)
    const socket = reply.raw
    try {
      for (let at = start; at <= end && !socket.destroyed;) {
        const bytes = await readInto(file.fd, buffer, at, Math.min(chunkBytes, end - at + 1))
        if (bytes === 0) {
          socket.destroy(new Error('the file was truncated while it was sent'))
          return
        }
        at += bytes
        await written(socket, buffer.subarray(0, bytes), at > end)
      }
    } finally {
      if (this.#buffers.length < pooledBuffers) this.#buffers.push(buffer)
    }
  }
}

/** Sends bytes from memory, with the same range and validator handling. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  headers: MediaHeaders & { etag: string },
): void {
  const part = startResponse(request, reply, { ...headers, sizeBytes: bytes.length })
  if (part) reply.raw.end(bytes.subarray(part.start, part.end + 1))
}

/**
 * Closes the connection of a body that failed: its headers are sent, so there is no other way to signal that it is incomplete.
 * Returns false where the reader had left before.
 */
export function closeIncomplete({ raw }: FastifyReply): boolean {
  const hasReader = !raw.destroyed
  raw.destroy()
  return hasReader
}

/** Error responses are not cached, unlike the object. */
const errorHeaders = { 'cache-control': 'no-store', 'content-length': 0 }

/** Sends status and headers. Returns the range of the body to send, or undefined if the response is complete. */
export function startResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  object: MediaHeaders & { etag: string; sizeBytes: number },
): { start: number; end: number } | undefined {
  const { raw } = reply
  const common: OutgoingHttpHeaders = {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    // without it, players on other sites cannot read the range of a response
    'access-control-expose-headers': 'Accept-Ranges, Content-Range, ETag',
    'cache-control': object.cacheControl,
    'content-type': object.type,
    'cross-origin-resource-policy': 'cross-origin',
    etag: object.etag,
    'x-content-type-options': 'nosniff',
  }
  reply.hijack()
  if (!meetsIfMatch(request.headers['if-match'], object.etag)) {
    raw.writeHead(412, { ...common, ...errorHeaders }).end()
    return undefined
  }
  if (matchesEtag(request.headers['if-none-match'], object.etag)) {
    raw.writeHead(304, common).end()
    return undefined
  }
  const { sizeBytes } = object
  const rangeHeader = allowsPart(request.headers['if-range']?.toString(), object.etag)
    ? request.headers.range
    : undefined
  const range = parseRange(rangeHeader, sizeBytes)
  if (range.kind === 'unsatisfiable') {
    raw.writeHead(416, { ...common, ...errorHeaders, 'content-range': `bytes */${sizeBytes}` }).end()
    return undefined
  }
  const [start, end] = range.kind === 'part' ? [range.start, range.end] : [0, sizeBytes - 1]
  raw.writeHead(range.kind === 'part' ? 206 : 200, {
    ...common,
    'content-length': end - start + 1,
    ...(range.kind === 'part' ? { 'content-range': `bytes ${start}-${end}/${sizeBytes}` } : {}),
  })
  if (request.method === 'HEAD' || sizeBytes === 0) {
    raw.end()
    return undefined
  }
  return { start, end }
}

/**
 * Whether an open file still has a name, that is, was not deleted. `fstat` of an open file needs no disk access, so the
 * synchronous call takes a tenth of the time of the thread pool.
 */
function hasName(fd: number): boolean {
  try {
    return fstatSync(fd).nlink > 0
  } catch {
    // The descriptor is closed.
    return false
  }
}

function readInto(fd: number, buffer: Buffer, position: number, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, length, position, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}

/** Resolves when the buffer can be reused: its bytes are written or the connection is closed. */
function written(response: NodeJS.WritableStream, bytes: Buffer, isLast: boolean): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.removeListener('close', done)
      resolve()
    }
    response.once('close', done)
    if (isLast) response.end(bytes, done)
    else response.write(bytes, done)
  })
}
