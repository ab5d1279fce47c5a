import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findModelFiles, type ModelFiles } from '@kinora/media/speech/model-files.ts'
import {
  isSpeechEngineInstalled,
  openSpeechEngine,
  SpeechEngineMissing,
  speechMemoryBytes,
  SpeechModelUnusable,
} from '@kinora/media/speech/open-engine.ts'
import { readSample } from '@kinora/media/speech/sample.ts'
import { SPEECH_SAMPLE_RATE, SpeechFailed } from '@kinora/media/speech/speech.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { sha256Of } from '@kinora/platform/files/sha256.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { getOutside } from '@kinora/platform/http/outgoing/request-outside.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import {
  listModels,
  makeIncomingDirectory,
  manifestName,
  modelsDirectory,
  speechThreads,
  type InstalledModel,
  type Manifest,
} from './models.ts'
import { unpackModel } from './unpack-model.ts'

/** Larger than any model that is worth its time on a processor. */
const maxDownloadBytes = 8 * 2 ** 30

export interface InstallOptions {
  dataDir: string
  captionsThreads?: number | undefined
  /** Private addresses from which models may be fetched. */
  importAllowedAddresses: string[]
}

export interface Installation {
  model: InstalledModel
  /** Text that the recognizer heard in the sample; null for a model that detects voice activity. */
  heard: string | null
  /** It was there already. */
  isKnown: boolean
}

/**
 * Installs a model from a path or an https address, which may end in `#sha256=<hash>` and, being an address, must. The
 * model becomes visible in one step, after it has understood a sample of speech. Nothing is left if that fails, or this
 * process is killed.
 *
 * Throws StartupError with what is wrong.
 */
export async function installModel(
  given: string,
  options: InstallOptions,
  onProgress: Progress = () => undefined,
): Promise<Installation> {
  if (!isSpeechEngineInstalled()) throw new StartupError(new SpeechEngineMissing().message)
  const { location, sha256 } = parseSource(given)
  const incoming = await makeIncomingDirectory(options.dataDir)
  try {
    const isAddress = isHttps(location)
    const file = isAddress ? await download(location, incoming, options, onProgress) : path.resolve(location)
    const hash = await hashOf(file, location)
    if (sha256 !== undefined && sha256 !== hash)
      throw new StartupError(`${location} has the SHA-256 ${hash}, not ${sha256}: it is another file.`)
    const known = (await listModels(options.dataDir)).find((model) => model.hash === hash)
    if (known) return { model: known, heard: null, isKnown: true }
    const unpacked = path.join(incoming, 'files')
    onProgress('Unpacking')
    await unpackModel(file, unpacked, nameOf(location))
    if (isAddress) await rm(file)
    const found = await recognizeModel(unpacked)
    await keepOnly(found)
    onProgress('Testing')
    const tested = await testModel(found, options)
    const manifest: Manifest = {
      name: found.name,
      kind: found.kind,
      path: path.relative(incoming, found.location),
      languages: found.files?.languages?.slice() ?? null,
      sizeBytes: found.sizeBytes,
      installedAt: new Date().toISOString(),
      speed: tested.speed,
      memoryBytes: tested.memoryBytes,
    }
    await writeFile(path.join(incoming, manifestName), JSON.stringify(manifest, null, 2), { flush: true })
    const directory = path.join(modelsDirectory(options.dataDir), hash)
    // the remains of a damaged one
    await rm(directory, { recursive: true, force: true })
    await rename(incoming, directory)
    const model = { ...manifest, hash, location: path.join(directory, manifest.path) }
    return { model, heard: tested.heard, isKnown: false }
  } finally {
    await rm(incoming, { recursive: true, force: true })
  }
}

const isHttps = (location: string) => location.startsWith('https://')

function parseSource(given: string): { location: string; sha256: string | undefined } {
  const [location = '', hash, ...rest] = given.split('#sha256=')
  const sha256 = hash?.toLowerCase()
  if (rest.length > 0 || (sha256 !== undefined && !/^[\da-f]{64}$/.test(sha256)))
    throw new StartupError('The hash after #sha256= must have 64 hexadecimal digits.')
  if (location.startsWith('http://')) throw new StartupError('Models are fetched from https addresses only.')
  if (isHttps(location) && sha256 === undefined)
    throw new StartupError(
      'An address needs the hash of its file: add #sha256= and the SHA-256 that its publisher states.',
    )
  return { location, sha256 }
}

/** The last part of a path or address, without its extension. */
function nameOf(location: string): string {
  const last = isHttps(location)
    ? new URL(location).pathname.split('/').at(-1)
    : path.basename(path.resolve(location))
  const name = (last ?? '').replace(/\.(tar\.bz2|tbz2?|tar\.gz|tgz|zip|onnx)$/i, '')
  return name.replaceAll(/[^\w.-]/g, '-').replace(/^\.+/, '') || 'model'
}

async function download(
  address: string,
  directory: string,
  { importAllowedAddresses }: InstallOptions,
  onProgress: Progress,
): Promise<string> {
  const file = path.join(directory, 'download')
  try {
    using received = await getOutside(address, {
      headers: { 'user-agent': 'Kinora' },
      allowedAddresses: importAllowedAddresses,
    })
    const { statusCode, headers } = received.response
    if (statusCode !== 200) throw new StartupError(`${address} responds with ${statusCode}.`)
    const total = Number(headers['content-length'])
    let bytes = 0
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (Math.max(bytes, total || 0) > maxDownloadBytes)
          throw new StartupError(`${address} is larger than ${formatBytes(maxDownloadBytes)}.`)
        onProgress(`Fetching: ${formatBytes(bytes)}${total ? ` of ${formatBytes(total)}` : ''}`)
        yield chunk
      }
    }
    await pipeline(received.response, counted, createWriteStream(file, { flags: 'wx' }))
    if (total && bytes < total) throw new StartupError(`${address} ended early. Try again.`)
    return file
  } catch (cause) {
    if (cause instanceof StartupError || (cause instanceof Error && 'path' in cause)) throw cause
    const reason =
      cause instanceof AppError ? cause.message : cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`${address} could not be fetched: ${reason}`, { cause })
  }
}

/** SHA-256 of a file, or of the names and hashes of a folder's files. */
async function hashOf(location: string, shown: string): Promise<string> {
  const found = await stat(location).catch(() => undefined)
  if (!found) throw new StartupError(`${shown} does not exist.`)
  if (!found.isDirectory()) return sha256Of(createReadStream(location))
  const hash = createHash('sha256')
  for (const name of (await readdir(location)).toSorted()) {
    const file = path.join(location, name)
    if ((await stat(file)).isFile()) hash.update(`${name}\0${await sha256Of(createReadStream(file))}\0`)
  }
  return hash.digest('hex')
}

type FoundModel = { name: string; location: string; sizeBytes: number } & (
  { kind: 'recognition'; files: ModelFiles } | { kind: 'voice'; files?: undefined }
)

/** Finds the model among unpacked files: a folder of a recognizer, or else a single file for voice activity. */
async function recognizeModel(directory: string): Promise<FoundModel> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => [])
  const folders = [
    directory,
    ...entries.filter((each) => each.isDirectory()).map((each) => path.join(each.parentPath, each.name)),
  ]
  for (const location of folders) {
    const files = findModelFiles(location)
    if (files)
      return {
        kind: 'recognition',
        name: path.basename(location),
        location,
        files,
        sizeBytes: files.sizeBytes,
      }
  }
  const models = entries.filter((each) => each.isFile() && each.name.endsWith('.onnx'))
  const [only] = models
  if (!only || models.length > 1)
    throw new StartupError(
      'There is no model in it that Kinora can use: Whisper, Parakeet or another transducer, SenseVoice or Moonshine, with its tokens.txt, or a single file of Silero VAD.',
    )
  const location = path.join(only.parentPath, only.name)
  const name = path.basename(only.name, '.onnx')
  return { kind: 'voice', name, location, sizeBytes: (await stat(location)).size }
}

/** Deletes what the model does not use, such as its parts in another precision. */
async function keepOnly(found: FoundModel): Promise<void> {
  if (found.kind === 'voice') return
  const used = new Set(Object.values(found.files).map(String))
  for (const name of await readdir(found.location)) {
    const file = path.join(found.location, name)
    if (name.endsWith('.onnx') && !used.has(file)) await rm(file)
  }
}

/** Has a model listen to a sample, and measures it. Throws StartupError if it does not understand it. */
async function testModel(
  found: FoundModel,
  options: InstallOptions,
): Promise<{ heard: string | null; speed: number; memoryBytes: number }> {
  const pcm = readSample()
  const isVoice = found.kind === 'voice'
  const languages = found.files?.languages
  const language = languages && !languages.includes('en') ? null : 'en'
  try {
    const engine = openSpeechEngine({
      modelFolder: isVoice ? null : found.location,
      voiceModel: isVoice ? found.location : null,
      threads: speechThreads(options),
      memoryBytes: speechMemoryBytes(found.sizeBytes),
    })
    using _ = { [Symbol.dispose]: () => engine.end() }
    const listen = async () =>
      isVoice
        ? { text: null, isHeard: (await engine.findSpeech(pcm)).length > 0 }
        : await engine.transcribe(pcm, { language }).then(({ words }) => {
            const text = words.map((word) => word.text).join(' ')
            return { text, isHeard: text !== '' || language === null }
          })
    // loads the model
    const { text, isHeard } = await listen()
    const isSilent = !isVoice || (await engine.findSpeech(new Int16Array(pcm.length))).length === 0
    if (!isHeard || !isSilent)
      throw new StartupError('The model does not understand a sample of speech, and is not installed.')
    const startedAt = performance.now()
    await listen()
    const seconds = (performance.now() - startedAt) / 1000
    const speed = Number((pcm.length / SPEECH_SAMPLE_RATE / seconds).toPrecision(2))
    return { heard: text, speed, memoryBytes: engine.peakMemoryBytes }
  } catch (cause) {
    if (cause instanceof SpeechModelUnusable || cause instanceof SpeechFailed)
      throw new StartupError(
        `The model does not work on this machine, and is not installed: ${cause.message} It may be damaged, of another kind, or need more memory than there is.`,
        { cause },
      )
    throw cause
  }
}
