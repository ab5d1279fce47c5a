import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import {
  openSpeechEngine,
  speechMemoryBytes,
  type OpenedSpeechEngine,
} from '@kinora/media/speech/open-engine.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'

/** Description of a model, in `DATA_DIR/models/<hash>/model.json`. */
const Manifest = z.object({
  name: z.string(),
  kind: z.enum(['recognition', 'voice']),
  /** Folder of a recognizer, or file of a voice activity model, below the directory of the model. */
  path: z.string(),
  /** BCP 47; null if they are not known. */
  languages: z.array(z.string()).nullable(),
  sizeBytes: z.number().int(),
  installedAt: z.iso.datetime(),
  /** Seconds of audio that this machine recognized in a second. */
  speed: z.number(),
  /** The most that the test used. */
  memoryBytes: z.number().int(),
})
export type Manifest = z.infer<typeof Manifest>

export interface InstalledModel extends Manifest {
  /** SHA-256 of what was installed. */
  hash: string
  /** Absolute path of the folder or file. */
  location: string
}

export interface InstalledModels {
  recognition: InstalledModel | null
  voice: InstalledModel | null
}

export const manifestName = 'model.json'
export const modelsDirectory = (dataDir: string) => path.join(dataDir, 'models')
const isHash = (name: string) => /^[\da-f]{64}$/.test(name)

/** Every installed model, the newest first. What is being installed, or was when its process was killed, is none. */
export async function listModels(dataDir: string): Promise<InstalledModel[]> {
  const directory = modelsDirectory(dataDir)
  if (!existsSync(directory)) return []
  const hashes = (await readdir(directory)).filter(isHash)
  const found = await Promise.all(hashes.map((hash) => readModel(path.join(directory, hash), hash)))
  return found
    .filter((model) => model !== undefined)
    .toSorted((a, b) => b.installedAt.localeCompare(a.installedAt) || a.hash.localeCompare(b.hash))
}

/** A model; undefined if it is damaged, as after a restored backup without it. */
async function readModel(directory: string, hash: string): Promise<InstalledModel | undefined> {
  try {
    const text = await readFile(path.join(directory, manifestName), 'utf8')
    const manifest = Manifest.parse(JSON.parse(text))
    const location = path.join(directory, manifest.path)
    return existsSync(location) ? { ...manifest, hash, location } : undefined
  } catch {
    return undefined
  }
}

/** The models that captions are made with: of each kind, the one that was installed last. */
export async function findInstalledModels(dataDir: string): Promise<InstalledModels> {
  const models = await listModels(dataDir)
  const newest = (kind: Manifest['kind']) => models.find((model) => model.kind === kind) ?? null
  return { recognition: newest('recognition'), voice: newest('voice') }
}

/** Threads of a recognizer: the other cores are for viewers. */
export const speechThreads = (config: { captionsThreads?: number | undefined }) =>
  config.captionsThreads ?? Math.min(4, Math.ceil(availableParallelism() / 2))

/** Opens an engine with the installed models. Throws as `openSpeechEngine` does; undefined without models of both kinds. */
export async function openInstalledEngine(
  config: { dataDir: string; captionsThreads?: number | undefined },
  niceness: number,
): Promise<OpenedSpeechEngine | undefined> {
  const { recognition, voice } = await findInstalledModels(config.dataDir)
  if (!recognition || !voice) return undefined
  return openSpeechEngine({
    modelFolder: recognition.location,
    voiceModel: voice.location,
    threads: speechThreads(config),
    memoryBytes: speechMemoryBytes(recognition.sizeBytes),
    niceness,
  })
}

/**
 * Deletes the model of this name, or whose hash begins like it. Throws StartupError unless there is exactly one. A running
 * job fails with its next piece of audio.
 */
export async function removeModel(dataDir: string, name: string): Promise<InstalledModel> {
  const models = await listModels(dataDir)
  const matching = models.filter((model) => model.name === name || model.hash.startsWith(name))
  const [model] = matching
  if (!model) throw new StartupError(`There is no model ${name}. \`kinora captions models\` lists them.`)
  if (matching.length > 1)
    throw new StartupError(`${matching.length} models are called ${name}. Give the beginning of a hash.`)
  await discard(path.join(modelsDirectory(dataDir), model.hash))
  return model
}

/** Deletes a directory at once: it is renamed first, so that no half of it is left when this process is killed. */
async function discard(directory: string): Promise<void> {
  const renamed = incomingDirectory(path.dirname(directory))
  await rename(directory, renamed)
  await rm(renamed, { recursive: true })
}

const incoming = /^\.incoming-(\d+)-/

/** A directory that is no model yet, or no more. The id of this process shows later whether somebody works on it. */
function incomingDirectory(directory: string): string {
  return path.join(directory, `.incoming-${process.pid}-${randomUUID()}`)
}

/** Makes a directory for a model that arrives, and deletes those that killed processes left behind. */
export async function makeIncomingDirectory(dataDir: string): Promise<string> {
  const directory = modelsDirectory(dataDir)
  await mkdir(directory, { recursive: true })
  for (const name of await readdir(directory)) {
    const pid = Number(incoming.exec(name)?.[1])
    if (pid && pid !== process.pid && !isRunning(pid))
      await rm(path.join(directory, name), { recursive: true, force: true })
  }
  const made = incomingDirectory(directory)
  await mkdir(made)
  return made
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // a process of another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
