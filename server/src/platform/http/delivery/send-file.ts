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

/** How an object is labelled. Whatever it is, it is never HTML to a browser. */
export interface MediaHeaders {
  type: string
  cacheControl: string
}

const chunkBytes = 512 * 1024
/** Buffers kept for the next answer. */
const pooledBuffers = 32
/** Files kept open; also bounds how long a deleted file keeps its disk space. */
const openFiles = 512
const openMs = 30_000

/** An open file, closed when it has left the cache and nobody reads it any more. */
class OpenFile {
  readonly fd: number
  readonly stats: Stats
  #readers = 0
  #isDropped = false

  constructor(fd: number, stats: Stats) {
    this.fd = fd
    this.stats = stats
  }

  hold(): void {
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
 * Sends files by byte ranges, at the cost of little more than the reading: files stay open between requests and
 * buffers are used again. For files that never change under their name.
 */
export class FileSender {
  readonly #files = new LRUCache<string, OpenFile>({
    max: openFiles,
    ttl: openMs,
    ttlAutopurge: true,
    dispose: (file) => file.drop(),
  })
  readonly #buffers: Buffer[] = []

  /** Answers the request with the file; false, and nothing is answered, when there is no such file. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    headers: MediaHeaders,
  ): Promise<boolean> {
    const file = await this.#hold(path)
    if (!file) return false
    try {
      const { stats } = file
      const part = startAnswer(request, reply, { ...headers, etag: etagOf(stats), sizeBytes: stats.size })
      if (part) await this.#stream(reply, file, part.start, part.end)
    } catch (error) {
      // the answer has begun, so that ending it early is the only way to say that it is not whole
      reply.raw.destroy()
      throw error
    } finally {
      file.release()
    }
    return true
  }

  /** Closes every file that nobody is reading. */
  close(): void {
    this.#files.clear()
  }

  /** The file, held for the caller; undefined when there is none. */
  async #hold(path: string): Promise<OpenFile | undefined> {
    const known = this.#files.get(path)
    if (known) {
      known.hold()
      if (hasName(known.fd)) return known
      known.release()
      if (this.#files.peek(path) === known) this.#files.delete(path)
    }
    try {
      const fd = await openFile(path, 'r')
      const file = new OpenFile(fd, await statFile(fd))
      file.hold()
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
          socket.destroy(new Error('the file is shorter than it was'))
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

/** Sends bytes that are at hand, by the same rules. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  headers: MediaHeaders & { etag: string },
): void {
  const part = startAnswer(request, reply, { ...headers, sizeBytes: bytes.length })
  if (part) reply.raw.end(bytes.subarray(part.start, part.end + 1))
}

/** However long the object itself may be kept. */
const refusal = { 'cache-control': 'no-store', 'content-length': 0 }

/** Sends status and headers. Answers which bytes are to follow, or undefined when the answer is complete. */
export function startAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  object: MediaHeaders & { etag: string; sizeBytes: number },
): { start: number; end: number } | undefined {
  const { raw } = reply
  const common: OutgoingHttpHeaders = {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    // without which a player on another site can ask for ranges, but not learn what it got
    'access-control-expose-headers': 'Accept-Ranges, Content-Range, ETag',
    'cache-control': object.cacheControl,
    'content-type': object.type,
    'cross-origin-resource-policy': 'cross-origin',
    etag: object.etag,
    'x-content-type-options': 'nosniff',
  }
  reply.hijack()
  if (!meetsIfMatch(request.headers['if-match'], object.etag)) {
    raw.writeHead(412, { ...common, ...refusal }).end()
    return undefined
  }
  if (matchesEtag(request.headers['if-none-match'], object.etag)) {
    raw.writeHead(304, common).end()
    return undefined
  }
  const { sizeBytes } = object
  const asked = allowsPart(request.headers['if-range']?.toString(), object.etag)
    ? request.headers.range
    : undefined
  const range = parseRange(asked, sizeBytes)
  if (range.kind === 'unsatisfiable') {
    raw.writeHead(416, { ...common, ...refusal, 'content-range': `bytes */${sizeBytes}` }).end()
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
 * Whether an open file is still there for others: one that was deleted has no name left. Of an open file the system
 * knows that without the disk, in a tenth of the time that handing the question to a thread takes.
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

/** Resolves once the bytes are out of our hands, so that the buffer can be used again; also when the reader is gone. */
function written(answer: NodeJS.WritableStream, bytes: Buffer, isLast: boolean): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      answer.removeListener('close', done)
      resolve()
    }
    answer.once('close', done)
    if (isLast) answer.end(bytes, done)
    else answer.write(bytes, done)
  })
}
