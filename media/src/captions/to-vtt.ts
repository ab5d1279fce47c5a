import {
  decodeCaptions as decodeUnicode,
  formatVtt,
  parseCaptions,
} from '@kinora/contract/videos/caption-cues.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { AppError, fieldError } from '@kinora/platform/errors.ts'
import { analyse } from 'chardet'

/** A file of captions in a language as WebVTT. Throws `invalid` with each line that is wrong. */
export function toVtt(bytes: Uint8Array, language: string): string {
  const text = decodeCaptions(bytes, language)?.replaceAll('\0', '')
  if (text === undefined)
    throw AppError.from(fieldError('captions', videoErrors.captionsUnreadable, { line: 1 }), {
      path: 'captions',
    })
  const { cues, errors } = parseCaptions(text)
  const lines = errors.map((error) =>
    fieldError('captions', failures[error.problem], { ...error, line: String(error.line) }),
  )
  if (lines[0]) throw AppError.from(lines[0], { errors: lines })
  return formatVtt(cues)
}

const failures = {
  noFormat: videoErrors.captionsFormat,
  noTime: videoErrors.captionsTimeExpected,
  unreadableTime: videoErrors.captionsTimeUnreadable,
  endsBeforeStart: videoErrors.captionsEndBeforeStart,
  empty: videoErrors.captionsEmpty,
}

/** Encodings of files before UTF-8 by language, the usual one first: https://encoding.spec.whatwg.org/#names-and-labels */
const encodingsOf: Record<string, readonly string[]> = {}
for (const [languages, ...encodings] of [
  ['ru uk be bg mk', 'windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'],
  ['sr', 'windows-1250', 'windows-1251'],
  ['pl cs sk hu hr sl ro bs sq', 'windows-1250', 'iso-8859-2'],
  ['el', 'windows-1253', 'iso-8859-7'],
  ['tr az', 'windows-1254'],
  ['he yi', 'windows-1255'],
  ['ar fa ur', 'windows-1256', 'iso-8859-6'],
  ['et lv lt', 'windows-1257'],
  ['vi', 'windows-1258'],
  ['th', 'windows-874'],
  ['ja', 'shift_jis', 'euc-jp'],
  ['ko', 'euc-kr'],
  ['zh', 'gb18030', 'big5'],
] as const)
  for (const language of languages.split(' ')) encodingsOf[language] = encodings

const latin = /\p{Script=Latin}/u
const scripts: Record<string, RegExp> = {
  'windows-1251': /\p{Script=Cyrillic}/u,
  'koi8-r': /\p{Script=Cyrillic}/u,
  ibm866: /\p{Script=Cyrillic}/u,
  'iso-8859-5': /\p{Script=Cyrillic}/u,
  'windows-1253': /\p{Script=Greek}/u,
  'iso-8859-7': /\p{Script=Greek}/u,
  'windows-1255': /\p{Script=Hebrew}/u,
  'windows-1256': /\p{Script=Arabic}/u,
  'iso-8859-6': /\p{Script=Arabic}/u,
  'windows-874': /\p{Script=Thai}/u,
  shift_jis: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
  'euc-jp': /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
  'euc-kr': /[\p{Script=Hangul}\p{Script=Han}]/u,
  gb18030: /\p{Script=Han}/u,
  big5: /\p{Script=Han}/u,
}

/** More than this is not guessed from: a part of a video is enough. */
const sampleBytes = 32_768

/**
 * Decodes a file of captions: Unicode, else the encoding of its language that its bytes are most likely in, else the most likely one
 * of all. Undefined if no encoding gives a text that people could read.
 */
function decodeCaptions(bytes: Uint8Array, language: string): string | undefined {
  const unicode = decodeUnicode(bytes)
  if (unicode !== undefined) return unicode
  const likely = analyse(bytes.subarray(0, sampleBytes)).map(({ name }) => name.toLowerCase())
  const ofLanguage = encodingsOf[new Intl.Locale(language).language] ?? ['windows-1252']
  const rankOf = (encoding: string) => (likely.indexOf(encoding) + likely.length + 1) % (likely.length + 1)
  const known = ofLanguage.toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const encoding of [...known, ...likely]) {
    const text = decodeAs(encoding, bytes)
    if (text !== undefined && isReadable(text, scripts[encoding] ?? latin)) return text
  }
  return undefined
}

function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // Not in this encoding, or one without a decoder.
    return undefined
  }
}

/** Whether letters beyond ASCII are those of a script; of Latin, people write more without accents than with. */
function isReadable(text: string, script: RegExp): boolean {
  if (/(?![\t\n\r\f])[\p{Cc}\p{Co}\p{Cn}\uFFFD]/u.test(text.replaceAll('\0', ''))) return false
  const sample = text.slice(0, sampleBytes)
  const letters = sample.match(/\p{L}/gu) ?? []
  const others = letters.filter((letter) => letter > '\u007F')
  if (others.length === 0) return true
  const expected = others.filter((letter) => script.test(letter)).length
  return script === latin
    ? expected === others.length && others.length < letters.length / 2
    : expected > others.length * 0.9
}
