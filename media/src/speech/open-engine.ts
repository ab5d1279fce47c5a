import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'
import { divideSpeech } from './find-speech.ts'
import { primaryLanguage } from './languages.ts'
import { findModelFiles, seemsOnnx, type ModelFiles } from './model-files.ts'
import { MAX_SPEECH_SECONDS, SPEECH_SAMPLE_RATE, SpeechFailed, type SpeechEngine } from './speech.ts'
import type { SpeechRequest, SpeechResponse } from './speech-process.ts'

export interface SpeechEngineOptions {
  /** Folder with the files of a model. Null for an engine that only finds speech. */
  modelFolder: string | null
  /** File of a Silero model. Null for an engine that finds no speech. */
  voiceModel: string | null
  /** Threads of the recognizer. */
  threads: number
  /** Limit of private memory. */
  memoryBytes: number
  /** From 0 (the server's own) to 19. */
  niceness?: number
}

/** `sherpa-onnx-node`, or its part for this system and processor, is not installed. */
export class SpeechEngineMissing extends Error {
  constructor() {
    super(
      `Captions need the package sherpa-onnx-node, which is not installed for ${process.platform}-${process.arch}. It is optional: run npm install without --omit=optional.`,
    )
    this.name = 'SpeechEngineMissing'
  }
}

/** The folder or file is no model that can be used. */
export class SpeechModelUnusable extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'SpeechModelUnusable'
  }
}

/** Loading the largest models from a slow disk. */
const LOAD_SECONDS = 300
/** Limit of processor time for a second of audio, on every thread: forty times slower than speech. */
const SECONDS_PER_SECOND = 40
/** A process without requests ends: it holds a model in memory. */
const IDLE_MS = 2 * 60_000

const require = createRequire(import.meta.url)

/** Whether speech can be recognized on this machine, given a model. Loads nothing. */
export function isSpeechEngineInstalled(): boolean {
  try {
    require.resolve('sherpa-onnx-node')
    require.resolve(`sherpa-onnx-${process.platform}-${process.arch}/package.json`)
    return true
  } catch {
    return false
  }
}

/** Memory that a recognizer of this size may use. Loading a model takes twice its size for a moment. */
export const speechMemoryBytes = (modelBytes: number) => 2 ** 30 + 3 * modelBytes

/** An engine, and the most memory that its processes have used. */
export type OpenedSpeechEngine = SpeechEngine & { readonly peakMemoryBytes: number }

/**
 * Opens an engine. Models are loaded with the first request, in a process of their own: without network where the system
 * allows it, without our environment, with limited memory. If native code crashes, the request is rejected, and the next
 * one starts another process.
 *
 * Throws `SpeechEngineMissing` or `SpeechModelUnusable`.
 */
export function openSpeechEngine(options: SpeechEngineOptions): OpenedSpeechEngine {
  if (!isSpeechEngineInstalled()) throw new SpeechEngineMissing()
  const { voiceModel, threads } = options
  const model = options.modelFolder === null ? undefined : openModel(options.modelFolder)
  if (voiceModel !== null) assertOnnx(voiceModel)
  const processes = new SpeechProcesses(options)

  const transcribe: SpeechEngine['transcribe'] = async (pcm, { language: tag }, signal) => {
    if (!model) throw new SpeechFailed('No model recognizes speech.')
    if (pcm.length > MAX_SPEECH_SECONDS * SPEECH_SAMPLE_RATE + SPEECH_SAMPLE_RATE / 100)
      throw new RangeError(`at most ${MAX_SPEECH_SECONDS} s are recognized at once`)
    const language = tag === null ? null : primaryLanguage(tag)
    // The library ends the process for a language that its model does not have.
    if (language !== null && model.languages && !model.languages.includes(language))
      throw new SpeechFailed(`The model does not recognize the language ${tag}.`)
    const outcome = await processes.request({ kind: 'transcribe', model, language, pcm, threads }, signal)
    if (!('transcript' in outcome)) throw new SpeechFailed('The recognizer returned no text.')
    const only = model.languages?.length === 1 ? (model.languages[0] ?? null) : null
    return { ...outcome.transcript, language: tag ?? outcome.transcript.language ?? only }
  }

  return {
    languages: model?.languages ?? null,
    get peakMemoryBytes() {
      return processes.peakMemoryBytes
    },
    transcribe,
    async findSpeech(pcm, signal) {
      if (voiceModel === null) throw new SpeechFailed('No model finds speech.')
      const outcome = await processes.request({ kind: 'find', voiceModel, pcm, threads }, signal)
      if (!('speech' in outcome)) throw new SpeechFailed('The detector returned no ranges.')
      return divideSpeech(outcome.speech, pcm)
    },
    async detectLanguage(pcm, signal) {
      const { language } = await transcribe(
        pcm.subarray(0, MAX_SPEECH_SECONDS * SPEECH_SAMPLE_RATE),
        { language: null },
        signal,
      )
      return language
    },
    end: () => processes.end(),
  }
}

function openModel(folder: string): ModelFiles {
  let files: ModelFiles | undefined
  try {
    files = findModelFiles(folder)
  } catch (cause) {
    throw new SpeechModelUnusable(`The model in ${folder} cannot be read.`, { cause })
  }
  if (!files)
    throw new SpeechModelUnusable(
      `${folder} has no model that is supported: Whisper, Parakeet and other transducers, SenseVoice or Moonshine, with tokens.txt.`,
    )
  for (const part of Object.values(files))
    if (typeof part === 'string' && part.endsWith('.onnx')) assertOnnx(part)
  return files
}

function assertOnnx(file: string): void {
  let isOnnx: boolean
  try {
    isOnnx = seemsOnnx(file)
  } catch (cause) {
    throw new SpeechModelUnusable(`The model ${file} cannot be read.`, { cause })
  }
  if (!isOnnx) throw new SpeechModelUnusable(`${file} is no model in the format ONNX.`)
}

/** The process that holds the models: one at a time, started again after it has ended. */
class SpeechProcesses {
  readonly #options: SpeechEngineOptions
  readonly #limit = pLimit(1)
  #process: PreforkedProcess<SpeechRequest, SpeechResponse> | undefined
  #idle: NodeJS.Timeout | undefined
  peakMemoryBytes = 0

  constructor(options: SpeechEngineOptions) {
    this.#options = options
  }

  request(request: SpeechRequest, signal: AbortSignal | undefined): Promise<SpeechResponse['outcome']> {
    return this.#limit(() => this.#request(request, signal))
  }

  async #request(
    request: SpeechRequest,
    signal: AbortSignal | undefined,
  ): Promise<SpeechResponse['outcome']> {
    signal?.throwIfAborted()
    clearTimeout(this.#idle)
    const child = (this.#process ??= this.#start())
    const seconds = LOAD_SECONDS + (request.pcm.length / SPEECH_SAMPLE_RATE) * SECONDS_PER_SECOND
    const limits = { timeoutMs: Math.ceil(seconds * 4000), cpuSeconds: seconds * request.threads, signal }
    const { outcome, memoryBytes } = await child.request(request, limits).catch((cause: unknown) => {
      this.end()
      signal?.throwIfAborted()
      throw new SpeechFailed('The process that recognizes speech has ended.', { cause })
    })
    this.peakMemoryBytes = Math.max(this.peakMemoryBytes, memoryBytes)
    this.#rest(child)
    if ('error' in outcome) throw new SpeechFailed(outcome.error)
    return outcome
  }

  #start(): PreforkedProcess<SpeechRequest, SpeechResponse> {
    const script = fileURLToPath(new URL('./speech-process.ts', import.meta.url))
    const { memoryBytes, niceness } = this.#options
    return new PreforkedProcess({
      script,
      role: 'speech-recognizer',
      heapMegabytes: 512,
      memoryBytes,
      niceness,
      hasNetwork: false,
    })
  }

  #rest(child: PreforkedProcess<SpeechRequest, SpeechResponse>): void {
    if (this.#process !== child) return
    child.rest(() => {
      if (this.#process === child) this.#process = undefined
    })
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref()
  }

  end(): void {
    clearTimeout(this.#idle)
    const child = this.#process
    this.#process = undefined
    child?.end()
  }
}
