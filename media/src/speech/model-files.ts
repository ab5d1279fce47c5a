import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { languagesOf } from './languages.ts'

/** Files of a recognizer, as `sherpa-onnx` names their parts. */
export type ModelFiles = { tokens: string; sizeBytes: number; languages: readonly string[] | null } & (
  | { kind: 'whisper'; encoder: string; decoder: string }
  | { kind: 'transducer'; encoder: string; decoder: string; joiner: string; isNemo: boolean }
  | { kind: 'senseVoice'; model: string }
  | {
      kind: 'moonshine'
      preprocessor: string
      encoder: string
      uncachedDecoder: string
      cachedDecoder: string
    }
)

/** Larger files are no lists of tokens. */
const MAX_TOKENS_BYTES = 16 * 2 ** 20
/** Parakeet TDT 0.6B v3, whose languages its files do not name: 8,192 tokens and the blank. */
const PARAKEET_V3_TOKENS = 8193
const PARAKEET_V2_TOKENS = 1025

/**
 * Recognizes a model by the files in its folder: Whisper, transducers (Parakeet and others of NeMo, Zipformer), SenseVoice
 * or Moonshine, as `sherpa-onnx` exports them. Of a part with and without quantization, the quantized one is used.
 * Undefined for anything else.
 */
export function findModelFiles(folder: string): ModelFiles | undefined {
  const names = readdirSync(folder).toSorted()
  const find = (...words: string[]) => findPart(folder, names, words)
  const tokens = names.find((name) => /(^|[-_.])tokens\.txt$/.test(name))
  if (tokens === undefined) return undefined
  const [lines, tokensPath] = [readLines(path.join(folder, tokens)), path.join(folder, tokens)]
  const found = recognize(find, lines, path.basename(folder))
  if (!found) return undefined
  const parts = Object.values(found).filter((value) => typeof value === 'string' && value.includes(path.sep))
  const sizeBytes = parts.reduce((sum, part) => sum + statSync(String(part)).size, 0)
  return { ...found, tokens: tokensPath, sizeBytes }
}

type WithoutCommon<Files> = Files extends unknown ? Omit<Files, 'tokens' | 'sizeBytes'> : never

function recognize(
  find: (...words: string[]) => string | undefined,
  tokens: readonly string[],
  name: string,
): WithoutCommon<ModelFiles> | undefined {
  const [preprocessor, encode] = [find('preprocess'), find('encode')]
  const [uncachedDecoder, cachedDecoder] = [find('uncached_decode'), find('cached_decode')]
  if (preprocessor && encode && uncachedDecoder && cachedDecoder) {
    const languages = languagesOf.english
    return { kind: 'moonshine', preprocessor, encoder: encode, uncachedDecoder, cachedDecoder, languages }
  }
  const [encoder, decoder, joiner] = [find('encoder'), find('decoder'), find('joiner')]
  if (encoder && decoder && joiner) {
    // NeMo has the blank at the end, icefall at the beginning.
    const isNemo = tokens.at(-1)?.startsWith('<blk>') === true
    return { kind: 'transducer', encoder, decoder, joiner, isNemo, languages: ofNemo(isNemo, tokens, name) }
  }
  // Whisper's tokens are in base64, those of Canary and others are not.
  if (encoder && decoder && tokens[0]?.startsWith('IQ== ')) {
    const isEnglish = /\.en[-.]|distil/.test(path.basename(encoder))
    return {
      kind: 'whisper',
      encoder,
      decoder,
      languages: isEnglish ? languagesOf.english : languagesOf.whisper,
    }
  }
  const model = find('model')
  if (model && tokens.some((token) => token.startsWith('<|nospeech|>')))
    return { kind: 'senseVoice', model, languages: languagesOf.senseVoice }
  return undefined
}

function ofNemo(isNemo: boolean, tokens: readonly string[], name: string): readonly string[] | null {
  if (isNemo && tokens.length === PARAKEET_V3_TOKENS) return languagesOf.parakeet
  if (isNemo && tokens.length === PARAKEET_V2_TOKENS && name.includes('parakeet')) return languagesOf.english
  return null
}

/** The path of a part: its name has these words, apart from a prefix such as `tiny.en-` and the precision. */
function findPart(folder: string, names: readonly string[], words: readonly string[]): string | undefined {
  const pattern = new RegExp(String.raw`(^|[-.])${words.join('_')}([-.].*)?\.onnx$`)
  const matching = names.filter((name) => pattern.test(name) && !name.startsWith('.'))
  const name = matching.find((each) => each.includes('int8')) ?? matching[0]
  return name === undefined ? undefined : path.join(folder, name)
}

function readLines(file: string): string[] {
  return statSync(file).size > MAX_TOKENS_BYTES ? [] : readFileSync(file, 'utf8').trimEnd().split(/\r?\n/)
}

/** Whether a file begins as models in ONNX do: with the version of the format, 3 to 13. */
export function seemsOnnx(file: string): boolean {
  const head = Buffer.alloc(2)
  const descriptor = openSync(file, 'r')
  try {
    return readSync(descriptor, head) === 2 && head[0] === 8 && (head[1] ?? 0) >= 3 && (head[1] ?? 0) <= 13
  } finally {
    closeSync(descriptor)
  }
}
