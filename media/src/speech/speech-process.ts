import { createRequire } from 'node:module'
import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'
import { fromModelCode, toWhisperCode } from './languages.ts'
import type { ModelFiles } from './model-files.ts'
import { wordsOf, type RecognizerResult } from './recognized-words.ts'
import { MAX_SPEECH_SECONDS, SPEECH_SAMPLE_RATE, type SpeechRange, type Transcript } from './speech.ts'

/** Request to the process that holds the models, and its response. */
export type SpeechRequest = { pcm: Int16Array; threads: number } & (
  { kind: 'find'; voiceModel: string } | { kind: 'transcribe'; model: ModelFiles; language: string | null }
)
export type SpeechResponse = {
  outcome: { speech: SpeechRange[] } | { transcript: Transcript } | { error: string }
  /** The peak of the process so far. */
  memoryBytes: number
}

/** The part of `sherpa-onnx-node` that is used here. It has no types of its own. */
interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => Detector
  OfflineRecognizer: new (config: object) => Recognizer
}

interface Detector {
  acceptWaveform(samples: Float32Array): void
  isEmpty(): boolean
  isDetected(): boolean
  front(sharesMemory: boolean): { start: number; samples: Float32Array }
  pop(): void
  flush(): void
  reset(): void
}

interface Recognizer {
  createStream(): {
    handle: object
    acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void
  }
  decode(stream: object): void
  setConfig(config: object): void
}

const require = createRequire(import.meta.url)
const WINDOW_SAMPLES = 512

serveRequests(respond)

async function respond(request: SpeechRequest): Promise<SpeechResponse> {
  const outcome = await Promise.resolve()
    .then(() => handle(request))
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
  return { outcome, memoryBytes: process.resourceUsage().maxRSS * 1024 }
}

function handle(request: SpeechRequest): SpeechResponse['outcome'] {
  const samples = toFloats(request.pcm)
  return request.kind === 'find'
    ? { speech: findSpeech(request.voiceModel, samples) }
    : { transcript: transcribe(request, samples) }
}

/** Not `Float32Array.from`, which collects ten million values in a list first. */
function toFloats(pcm: Int16Array): Float32Array {
  const samples = new Float32Array(pcm.length)
  for (let at = 0; at < pcm.length; at++) samples[at] = (pcm[at] ?? 0) / 32_768
  return samples
}

let sherpa: Sherpa | undefined
// The package is plain JavaScript.
const load = () => (sherpa ??= require('sherpa-onnx-node') as Sherpa)

let detector: { model: string; detector: Detector } | undefined

function openDetector(model: string): Detector {
  if (detector?.model === model) {
    detector.detector.reset()
    return detector.detector
  }
  const config = {
    sileroVad: {
      model,
      threshold: 0.5,
      minSilenceDuration: 0.5,
      minSpeechDuration: 0.25,
      maxSpeechDuration: MAX_SPEECH_SECONDS,
      windowSize: WINDOW_SAMPLES,
    },
    sampleRate: SPEECH_SAMPLE_RATE,
    numThreads: 1,
    provider: 'cpu',
  }
  const opened = new (load().Vad)(config, 2 * MAX_SPEECH_SECONDS)
  detector = { model, detector: opened }
  return opened
}

/** Ranges as the detector finds them. They may touch each other where speech is long. */
function findSpeech(model: string, samples: Float32Array): SpeechRange[] {
  const vad = openDetector(model)
  const ranges: SpeechRange[] = []
  const collect = () => {
    for (; !vad.isEmpty(); vad.pop()) {
      const { start, samples: found } = vad.front(false)
      const toSeconds = (start + found.length) / SPEECH_SAMPLE_RATE
      ranges.push({ fromSeconds: start / SPEECH_SAMPLE_RATE, toSeconds })
    }
  }
  let detectedSamples = 0
  for (let at = 0; at + WINDOW_SAMPLES <= samples.length; at += WINDOW_SAMPLES) {
    vad.acceptWaveform(samples.subarray(at, at + WINDOW_SAMPLES))
    detectedSamples = vad.isDetected() ? detectedSamples + WINDOW_SAMPLES : 0
    // It copies the whole of what it has detected for each window.
    if (detectedSamples > MAX_SPEECH_SECONDS * SPEECH_SAMPLE_RATE) {
      vad.flush()
      detectedSamples = 0
    }
    collect()
  }
  vad.flush()
  collect()
  return ranges
}

let recognizer: { tokens: string; recognizer: Recognizer } | undefined

function openRecognizer(config: object, { tokens }: ModelFiles): Recognizer {
  if (recognizer?.tokens !== tokens)
    recognizer = { tokens, recognizer: new (load().OfflineRecognizer)(config) }
  return recognizer.recognizer
}

function transcribe(
  { model, language, threads }: Extract<SpeechRequest, { kind: 'transcribe' }>,
  samples: Float32Array,
): Transcript {
  const config = recognizerConfig(model, language, threads)
  const opened = openRecognizer(config, model)
  // Whisper is given the language with each piece; the others ignore it.
  if (model.kind === 'whisper') opened.setConfig(config)
  const stream = opened.createStream()
  stream.acceptWaveform({ samples, sampleRate: SPEECH_SAMPLE_RATE })
  opened.decode(stream)
  const result = readResult(stream.handle)
  return {
    language: language ?? fromModelCode(result.lang),
    words: wordsOf(result, samples.length / SPEECH_SAMPLE_RATE),
  }
}

/** Its JSON escapes quotes only: control characters would make it unreadable. */
function readResult(stream: object): RecognizerResult {
  // The module that the package itself reads results with.
  const addon = require('sherpa-onnx-node/addon.js') as {
    getOfflineStreamResultAsJson(stream: object): string
  }
  const json = addon.getOfflineStreamResultAsJson(stream).replaceAll(/\p{Cc}/gu, ' ')
  return JSON.parse(json) as RecognizerResult
}

function recognizerConfig(model: ModelFiles, language: string | null, threads: number): object {
  return {
    featConfig: { sampleRate: SPEECH_SAMPLE_RATE, featureDim: 80 },
    modelConfig: {
      ...partsOf(model, language),
      tokens: model.tokens,
      numThreads: threads,
      provider: 'cpu',
    },
    decodingMethod: 'greedy_search',
  }
}

function partsOf(model: ModelFiles, language: string | null): object {
  switch (model.kind) {
    case 'whisper': {
      const { encoder, decoder } = model
      return {
        whisper: {
          encoder,
          decoder,
          language: language === null ? '' : toWhisperCode(language),
          task: 'transcribe',
          enableSegmentTimestamps: 1,
        },
      }
    }
    case 'transducer': {
      const { encoder, decoder, joiner, isNemo } = model
      return {
        transducer: { encoder, decoder, joiner },
        modelType: isNemo ? 'nemo_transducer' : 'transducer',
      }
    }
    case 'senseVoice':
      return {
        senseVoice: { model: model.model, language: language ?? 'auto', useInverseTextNormalization: 1 },
      }
    case 'moonshine': {
      const { preprocessor, encoder, uncachedDecoder, cachedDecoder } = model
      return { moonshine: { preprocessor, encoder, uncachedDecoder, cachedDecoder } }
    }
  }
}
