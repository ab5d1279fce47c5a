import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import unbzip2 from 'unbzip2-stream'
import { seemsOnnx } from '@kinora/media/speech/model-files.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'

/** Limits of an archive: models have ten files, and their weights hardly compress. */
const maxFiles = 1000
const maxBytes = 16 * 2 ** 30
const freeBytes = 64 * 2 ** 20
const maxRatio = 20
/** A model is in the archive itself, or in one folder of it. */
const maxDepth = 2

/** Files that a model needs, and its licence. */
const isWanted = (name: string) => /\.onnx$|(^|[-_.])tokens\.txt$|^(licen[cs]e|readme)(\.\w+)?$/i.test(name)

/**
 * Copies a folder or file, or unpacks an archive (.tar.bz2, .tar.gz, .zip), into a directory, in at most one folder. Files
 * that no model needs, such as samples, are left out. Throws StartupError for names that lead out, links, and archives with
 * too many or too large files.
 *
 * The archive is read by libraries in JavaScript and not by tar(1): they are the same on every system, bzip2 is missing
 * from small ones, and each name and size is judged before a byte is written. bzip2 takes about ten seconds for 50 MB.
 */
export async function unpackModel(from: string, directory: string, name: string): Promise<void> {
  if ((await stat(from)).isDirectory()) return copyFolder(from, directory)
  switch (await kindOf(from)) {
    case 'onnx':
      return copy(createReadStream(from), directory, [name.endsWith('.onnx') ? name : `${name}.onnx`])
    case 'zip':
      return unpackZip(from, directory)
    case 'bzip2':
      return unpackTar(from, directory, unbzip2())
    case 'gzip':
      return unpackTar(from, directory, createGunzip())
    case undefined:
      throw new StartupError(`${name} is neither a model (.onnx) nor an archive (.tar.bz2, .tar.gz, .zip).`)
  }
}

async function kindOf(file: string): Promise<'onnx' | 'zip' | 'bzip2' | 'gzip' | undefined> {
  await using handle = await open(file)
  const head = Buffer.alloc(4)
  await handle.read(head, 0, 4, 0)
  if (head.toString('latin1').startsWith('BZh')) return 'bzip2'
  if (head.readUInt16BE() === 0x1f8b) return 'gzip'
  if (head.toString('latin1') === 'PK\x03\x04') return 'zip'
  return seemsOnnx(file) ? 'onnx' : undefined
}

/** The operator's own folder: its links are followed, as those of a download cache have to be. */
async function copyFolder(from: string, directory: string): Promise<void> {
  for (const name of await readdir(from)) {
    const file = path.join(from, name)
    if (isWanted(name) && (await stat(file)).isFile())
      await copy(createReadStream(file), directory, [path.basename(path.resolve(from)), name])
  }
}

async function unpackZip(from: string, directory: string): Promise<void> {
  try {
    using file = await ZipFile.open(from, { freeBytes, ratio: maxRatio })
    const budget = new Budget(from, (await stat(from)).size)
    for (const name of file.names.filter((each) => !each.endsWith('/'))) {
      const place = placeOf(name)
      budget.take(file.sizeOf(name) ?? 0)
      if (!place) continue
      const target = await makePlace(directory, place)
      await file.extract(name, target, maxBytes, new AbortController().signal, maxRatio)
    }
  } catch (error) {
    // What is wrong with archives of users has texts for them.
    throw error instanceof AppError ? new StartupError(error.message, { cause: error }) : error
  }
}

async function unpackTar(from: string, directory: string, decompress: NodeJS.ReadWriteStream): Promise<void> {
  const budget = new Budget(from, (await stat(from)).size)
  const unpacked = new PassThrough()
  const feeding = pipeline(createReadStream(from), decompress, unpacked).catch((error: unknown) =>
    unpacked.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  try {
    const counted = Readable.toWeb(Readable.from(counting(unpacked, budget)))
    const entries = counted.pipeThrough(createTarDecoder({ strict: true }))
    for await (const entry of entries) await unpackEntry(entry, directory, budget)
  } catch (error) {
    if (error instanceof StartupError || (error instanceof Error && 'syscall' in error)) throw error
    throw new StartupError('The archive is damaged.', { cause: error })
  } finally {
    unpacked.destroy()
    await feeding
  }
}

/** Bytes of the archive as they are unpacked: what lies between files counts too. */
async function* counting(unpacked: Readable, budget: Budget): AsyncGenerator<Uint8Array> {
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    budget.count(chunk.length)
    yield chunk
  }
}

async function unpackEntry(
  { header, body }: ParsedTarEntry,
  directory: string,
  budget: Budget,
): Promise<void> {
  const { name, type = 'file', size } = header
  if (type === 'directory') return body.cancel()
  if (type !== 'file') throw new StartupError(`The archive has a link or device (${name}), which is refused.`)
  budget.take(size)
  const place = placeOf(name)
  if (place) await copy(body, directory, place)
  else await body.cancel()
}

/** Where a file of an archive belongs; undefined if it is not needed. Throws StartupError for names that lead elsewhere. */
function placeOf(name: string): string[] | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  const isOutside = name.startsWith('/') || parts.includes('..') || /[\\\p{Cc}]/u.test(name)
  if (isOutside)
    throw new StartupError(`The archive has a file that leads out of it (${name}), and is refused.`)
  const isKept =
    parts.length <= maxDepth && isWanted(parts.at(-1) ?? '') && !parts.some((part) => part.startsWith('.'))
  return isKept ? parts : undefined
}

async function copy(from: AsyncIterable<Uint8Array>, directory: string, place: string[]): Promise<void> {
  const target = await makePlace(directory, place)
  await pipeline(from, createWriteStream(target, { flags: 'wx', flush: true }))
}

/** The path of a new file, in a folder that exists. Throws StartupError if an archive has it twice. */
async function makePlace(directory: string, place: string[]): Promise<string> {
  const target = path.join(directory, ...place)
  await mkdir(path.dirname(target), { recursive: true })
  if (await lstat(target).catch(() => undefined))
    throw new StartupError(`The archive has two files of the name ${place.join('/')}.`)
  return target
}

/** Files and bytes that an archive may still unpack. */
class Budget {
  readonly #name: string
  readonly #limit: number
  #files = 0
  #declared = 0
  #read = 0

  constructor(from: string, packedBytes: number) {
    this.#name = path.basename(from)
    this.#limit = Math.min(maxBytes, freeBytes + maxRatio * packedBytes)
  }

  /** Takes a file of this size. Throws StartupError if it is too much. */
  take(bytes: number): void {
    this.#files += 1
    this.#declared += bytes
    if (this.#files > maxFiles) throw new StartupError(`${this.#name} has more than ${maxFiles} files.`)
    this.#assertWithin(this.#declared)
  }

  count(bytes: number): void {
    this.#read += bytes
    this.#assertWithin(this.#read)
  }

  #assertWithin(bytes: number): void {
    if (bytes > this.#limit)
      throw new StartupError(`${this.#name} unpacks to more than a model can have, and is refused.`)
  }
}
