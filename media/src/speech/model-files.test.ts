import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findModelFiles } from './model-files.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'kinora-models-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** A folder with files of these names, and these tokens. */
function folderOf(name: string, files: string[], tokens: string[], tokensName = 'tokens.txt') {
  const folder = path.join(directory, name)
  mkdirSync(folder)
  for (const file of files) writeFileSync(path.join(folder, file), 'model')
  writeFileSync(path.join(folder, tokensName), tokens.map((token, index) => `${token} ${index}\n`).join(''))
  return folder
}

const nemo = (count: number) => [...Array.from({ length: count - 1 }, (_, index) => `▁${index}`), '<blk>']
const base64 = ['IQ==', 'Ig==']

test('recognizes Whisper and whether it is for English alone, and prefers quantized files', () => {
  const parts = ['encoder', 'decoder'].flatMap((part) => [`tiny-${part}.onnx`, `tiny-${part}.int8.onnx`])
  const many = findModelFiles(folderOf('sherpa-onnx-whisper-tiny', parts, base64, 'tiny-tokens.txt'))
  expect(many).toMatchObject({ kind: 'whisper', sizeBytes: 10 })
  expect(many?.languages).toContain('ja')
  expect(many?.kind === 'whisper' && path.basename(many.encoder)).toBe('tiny-encoder.int8.onnx')
  const english = ['tiny.en-encoder.onnx', 'tiny.en-decoder.onnx']
  const folder = folderOf('sherpa-onnx-whisper-tiny.en', english, base64, 'tiny.en-tokens.txt')
  expect(findModelFiles(folder)?.languages).toEqual(['en'])
})

test('recognizes transducers of NeMo and their languages, and others', () => {
  const parts = ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx']
  const v3 = findModelFiles(folderOf('sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8', parts, nemo(8193)))
  expect(v3).toMatchObject({ kind: 'transducer', isNemo: true })
  expect(v3?.languages).toHaveLength(25)
  const v2 = folderOf('sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8', parts, nemo(1025))
  expect(findModelFiles(v2)?.languages).toEqual(['en'])
  const names = ['encoder', 'decoder', 'joiner'].map((part) => `${part}-epoch-99-avg-1.onnx`)
  const zipformer = findModelFiles(folderOf('zipformer', names, ['<blk>', '▁A']))
  expect(zipformer).toMatchObject({ kind: 'transducer', isNemo: false, languages: null })
})

test('recognizes SenseVoice and Moonshine', () => {
  const sense = findModelFiles(folderOf('sense-voice', ['model.int8.onnx'], ['<unk>', '<|nospeech|>']))
  expect(sense).toMatchObject({ kind: 'senseVoice' })
  const parts = [
    'preprocess.onnx',
    'encode.int8.onnx',
    'uncached_decode.int8.onnx',
    'cached_decode.int8.onnx',
  ]
  const moonshine = findModelFiles(folderOf('moonshine', parts, ['<unk>']))
  expect(moonshine).toMatchObject({ kind: 'moonshine', languages: ['en'] })
  expect(moonshine?.kind === 'moonshine' && path.basename(moonshine.cachedDecoder)).toBe(
    'cached_decode.int8.onnx',
  )
})

test('finds nothing among other models and files', () => {
  const canary = ['encoder.int8.onnx', 'decoder.int8.onnx']
  expect(findModelFiles(folderOf('canary', canary, ['<unk>', '▁the']))).toBeUndefined()
  expect(findModelFiles(folderOf('paraformer', ['model.onnx'], ['<blank>']))).toBeUndefined()
  expect(findModelFiles(folderOf('text', ['readme.md'], ['a']))).toBeUndefined()
  const folder = path.join(directory, 'without-tokens')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'model.onnx'), '')
  expect(findModelFiles(folder)).toBeUndefined()
})
