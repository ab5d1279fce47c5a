import { videoErrors } from '@kinora/contract/videos/errors.ts'
import {
  decodeCaptions as decodeUnicode,
  formatVtt,
  parseCaptions,
  spokenTextOf,
} from '@kinora/contract/videos/caption-cues.ts'
import { chaptersOf } from '@kinora/contract/videos/chapters.ts'
import { normalizeText } from '@kinora/contract/characters.ts'
import { analyse } from 'chardet'
import { AppError, fieldError } from '@kinora/platform/errors.ts'

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

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Returns the name of a track: its label, or else the name of its language. */
export function labelOf(label: string | undefined, language: string): string {
  return label?.trim() ? label : (names.of(language) ?? language)
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

/** Marks that words are compared without, as in the function `search_folded` of the database. */
const ignoredMarks = new RegExp(
  String.raw`['’ʼ]|[\u0300-\u036f\u1ab0-\u1aff\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u1cd0-\u1cd2\u1cd4-\u1ce8\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufb1e\ufe20-\ufe2f\u135d-\u135f]`,
  'gu',
)

/** A text as its words are compared: lower case, without apostrophes and marks. */
const fold = (text: string) => normalizeText(text, 'NFKD').replaceAll(ignoredMarks, '').toLowerCase()

/** Words of scripts with spaces match whole words, longer ones their beginning; other words match anywhere. */
function matcherOf(word: string): RegExp {
  const isSeparated = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]+$/u.test(word)
  if (!isSeparated) return new RegExp(word, 'u')
  return new RegExp(`(?<![\\p{L}\\p{N}])${word}${word.length > 3 ? '' : '(?![\\p{L}\\p{N}])'}`, 'u')
}

interface TimedText {
  startSeconds: number
  text: string
}

/**
 * The first of some texts that has all words of a term, or else the first two neighbours that have them together;
 * undefined without any.
 */
export function momentWith(term: string, texts: readonly TimedText[]): TimedText | undefined {
  const words = (fold(term).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map(matcherOf)
  if (words.length === 0) return undefined
  const has = (text: string) => words.every((word) => word.test(text))
  let together: TimedText | undefined
  let previous: { timed: TimedText; folded: string } | undefined
  for (const timed of texts) {
    const folded = fold(timed.text)
    if (has(folded)) return timed
    if (previous && !together && has(`${previous.folded} ${folded}`)) {
      together = { ...previous.timed, text: `${previous.timed.text} ${timed.text}`.trim() }
    }
    previous = { timed, folded }
  }
  return together
}

/** A text with times that a video has. */
export interface MomentSource {
  videoId: string
  kind: 'captions' | 'chapter'
  /** WebVTT, or a description that lists chapters. */
  text: string
  durationSeconds: number
}

/** A moment of a source, which is given by its index. */
export interface FoundMoment extends TimedText {
  source: number
}

/** Sentences and chapters with all words of a term, in the first source of each video that has one. */
export function findMoments(term: string, sources: readonly MomentSource[], limit: number): FoundMoment[] {
  const found = new Map<string, FoundMoment>()
  for (const [source, { videoId, kind, text, durationSeconds }] of sources.entries()) {
    if (found.size === limit) break
    if (found.has(videoId)) continue
    const texts = kind === 'chapter' ? titlesOf(text, durationSeconds) : sentencesOf(text)
    const moment = momentWith(term, texts)
    if (moment) found.set(videoId, { source, startSeconds: moment.startSeconds, text: moment.text })
  }
  return [...found.values()]
}

const sentencesOf = (vtt: string): TimedText[] =>
  parseCaptions(vtt).cues.map(({ startSeconds, text }) => ({ startSeconds, text: spokenTextOf(text) }))

const titlesOf = (description: string, durationSeconds: number): TimedText[] =>
  chaptersOf(description, durationSeconds).map(({ title, startSeconds }) => ({ text: title, startSeconds }))
