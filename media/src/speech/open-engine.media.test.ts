import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import { testSpeechModel, testVoiceModel } from '../testing/speech-models.ts'
import { writeTinyWhisper } from '../testing/tiny-whisper.ts'
import { openSpeechEngine, SpeechModelUnusable, type OpenedSpeechEngine } from './open-engine.ts'
import { readSample } from './sample.ts'
import { SPEECH_SAMPLE_RATE, SpeechFailed } from './speech.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'kinora-engine-'))
const engines: OpenedSpeechEngine[] = []
afterEach(() => engines.splice(0).forEach((engine) => engine.end()))
afterAll(() => rmSync(directory, { recursive: true }))

function open(options: { modelFolder?: string | null; voiceModel?: string | null; memoryBytes?: number }) {
  const defaults = { modelFolder: null, voiceModel: null, threads: 1, memoryBytes: 2 ** 30 }
  const engine = openSpeechEngine({ ...defaults, ...options })
  engines.push(engine)
  return engine
}

const sample = readSample()
const silence = new Int16Array(10 * SPEECH_SAMPLE_RATE)
/** Silence with the sample in it, in seconds. */
function withSpeechAt(seconds: number[], length: number): Int16Array {
  const pcm = new Int16Array(length * SPEECH_SAMPLE_RATE)
  for (const at of seconds) pcm.set(sample, at * SPEECH_SAMPLE_RATE)
  return pcm
}

const children = () =>
  listProcesses().filter(({ parent, args }) => parent === process.pid && args.includes('speech-process.ts'))

/** A file that begins like a model and is none. */
function fakeModel(name: string): string {
  const file = path.join(directory, name)
  writeFileSync(file, Buffer.concat([Buffer.from([8, 7]), Buffer.alloc(4096, 'no model')]))
  return file
}

describe.skipIf(testVoiceModel === null)('with Silero VAD', () => {
  const voiceModel = testVoiceModel

  test('finds speech between silences', async () => {
    const engine = open({ voiceModel })
    const speech = await engine.findSpeech(withSpeechAt([4, 20], 30))
    expect(speech).toHaveLength(2)
    expect(speech[0]?.fromSeconds).toBeGreaterThan(3.5)
    expect(speech[0]?.fromSeconds).toBeLessThan(4.5)
    expect(speech[0]?.toSeconds).toBeGreaterThan(6)
    expect(speech[1]?.toSeconds).toBeLessThan(24)
    expect(engine.peakMemoryBytes).toBeGreaterThan(10 ** 7)
  })

  test('finds nothing in silence, in noise and in a tone', async () => {
    const engine = open({ voiceModel })
    const noise = silence.map((_, index) => ((index * 7919) % 4001) - 2000)
    const tone = silence.map((_, index) => 8000 * Math.sin((index * 440 * 2 * Math.PI) / SPEECH_SAMPLE_RATE))
    for (const pcm of [silence, noise, tone, new Int16Array()])
      expect(await engine.findSpeech(pcm)).toEqual([])
  })

  test('divides long speech into pieces of at most half a minute', async () => {
    const at = Array.from({ length: 40 }, (_, index) => index * 3)
    const speech = await open({ voiceModel }).findSpeech(withSpeechAt(at, 120))
    const lengths = speech.map(({ fromSeconds, toSeconds }) => toSeconds - fromSeconds)
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(100)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(29.001)
  })

  test('rejects the request when its process is killed, and starts another one for the next', async () => {
    const engine = open({ voiceModel })
    await engine.findSpeech(silence)
    const [child] = children()
    const request = engine.findSpeech(new Int16Array(600 * SPEECH_SAMPLE_RATE))
    process.kill(child?.pid ?? 0, 'SIGKILL')
    await expect(request).rejects.toBeInstanceOf(SpeechFailed)
    expect(await engine.findSpeech(withSpeechAt([2], 8))).toHaveLength(1)
    expect(children().map(({ pid }) => pid)).not.toContain(child?.pid)
  })

  test('survives the end of an idle process', async () => {
    const engine = open({ voiceModel })
    await engine.findSpeech(silence)
    process.kill(children()[0]?.pid ?? 0, 'SIGKILL')
    // Requests fail until the exit of the process is noticed.
    await expect.poll(() => engine.findSpeech(silence).catch(() => null)).toEqual([])
  })

  test('stops an aborted request with its reason, and handles the next', async () => {
    const engine = open({ voiceModel })
    const controller = new AbortController()
    const request = engine.findSpeech(new Int16Array(600 * SPEECH_SAMPLE_RATE), controller.signal)
    const reason = new Error('a viewer waits')
    controller.abort(reason)
    await expect(request).rejects.toBe(reason)
    expect(await engine.findSpeech(silence)).toEqual([])
  })

  test('handles requests one after the other in one process, which ends with the engine', async () => {
    const engine = open({ voiceModel })
    const found = await Promise.all([engine.findSpeech(withSpeechAt([1], 5)), engine.findSpeech(silence)])
    expect(found.map((ranges) => ranges.length)).toEqual([1, 0])
    expect(children()).toHaveLength(1)
    engine.end()
    await expect.poll(() => children()).toEqual([])
  })

  test('the process inherits no environment', async () => {
    process.env['KINORA_SECRET_OF_TEST'] = 'x'
    await open({ voiceModel }).findSpeech(silence)
    delete process.env['KINORA_SECRET_OF_TEST']
    expect(children()[0]?.environment).not.toContain('KINORA_SECRET_OF_TEST')
  })

  test('rejects a request that needs more memory than allowed', async () => {
    const engine = open({ voiceModel, memoryBytes: 2 ** 20 })
    await expect(engine.findSpeech(silence)).rejects.toBeInstanceOf(SpeechFailed)
  })
})

describe('with a model in the form of Whisper', () => {
  const modelFolder = path.join(directory, 'sherpa-onnx-whisper-tiny')
  writeTinyWhisper(modelFolder, [
    { words: ['The', 'harbour', 'opens'], from: 0, to: 1 },
    { words: ['at', 'seven.'], from: 1.2, to: 2.4 },
  ])

  test('returns the words with the times of their sentences', async () => {
    const { language, words } = await open({ modelFolder }).transcribe(sample, { language: 'en-GB' })
    expect(language).toBe('en-GB')
    expect(words.map(({ text }) => text).join(' ')).toBe('The harbour opens at seven.')
    expect(words.at(2)).toMatchObject({ text: 'opens', endSeconds: 1 })
    expect(words.at(3)).toMatchObject({ text: 'at', startSeconds: 1.2 })
    expect(words.at(-1)?.endSeconds).toBeCloseTo(2.4)
  })

  test('takes the language of each request, and detects it where none is given', async () => {
    const engine = open({ modelFolder })
    expect((await engine.transcribe(sample, { language: 'en' })).language).toBe('en')
    expect((await engine.transcribe(sample, { language: null })).language).toBe('de')
    expect(await engine.detectLanguage(new Int16Array(60 * SPEECH_SAMPLE_RATE))).toBe('de')
    await expect(engine.findSpeech(sample)).rejects.toThrow('No model finds speech')
  })

  test('a killed process fails one request', async () => {
    const engine = open({ modelFolder })
    await engine.transcribe(sample, { language: 'en' })
    const request = engine.transcribe(sample, { language: 'en' })
    process.kill(children()[0]?.pid ?? 0, 'SIGKILL')
    await expect(request).rejects.toBeInstanceOf(SpeechFailed)
    expect((await engine.transcribe(sample, { language: 'en' })).words).toHaveLength(5)
  })
})

test('a model of another kind crashes the process, not this one', async () => {
  const engine = open({ voiceModel: fakeModel('garbage.onnx') })
  await expect(engine.findSpeech(silence)).rejects.toBeInstanceOf(SpeechFailed)
  await expect(engine.findSpeech(silence)).rejects.toBeInstanceOf(SpeechFailed)
})

test('a recognizer of garbage rejects its requests', async () => {
  const modelFolder = path.join(directory, 'whisper')
  mkdirSync(modelFolder)
  for (const part of ['encoder', 'decoder']) fakeModel(`whisper/tiny-${part}.onnx`)
  writeFileSync(path.join(modelFolder, 'tiny-tokens.txt'), 'IQ== 0\nIg== 1\n')
  const engine = open({ modelFolder })
  expect(engine.languages).toContain('de')
  await expect(engine.transcribe(sample, { language: 'de' })).rejects.toBeInstanceOf(SpeechFailed)
  await expect(engine.transcribe(sample, { language: 'tlh' })).rejects.toThrow('does not recognize')
  await expect(engine.transcribe(new Int16Array(480_000), { language: null })).rejects.toThrow(RangeError)
})

test('refuses what is no model when it is opened', () => {
  const text = path.join(directory, 'text.onnx')
  writeFileSync(text, 'version https://git-lfs.github.com/spec/v1')
  expect(() => open({ voiceModel: text })).toThrow(SpeechModelUnusable)
  expect(() => open({ voiceModel: path.join(directory, 'missing.onnx') })).toThrow(SpeechModelUnusable)
  expect(() => open({ modelFolder: directory })).toThrow('no model that is supported')
  expect(() => open({ modelFolder: path.join(directory, 'missing') })).toThrow(SpeechModelUnusable)
})

test.skipIf(testSpeechModel === null)('recognizes the sample', async () => {
  const engine = open({ modelFolder: testSpeechModel, memoryBytes: 8 * 2 ** 30 })
  const { language, words } = await engine.transcribe(sample, { language: 'en' })
  const text = readFileSync(path.join(import.meta.dirname, 'sample.txt'), 'utf8').trim()
  expect(language).toBe('en')
  expect(words.map((word) => word.text).join(' ')).toBe(text)
})
