import type { TimedText } from './speech.ts'

/** Text that is never divided by a line break. */
export interface Phrase {
  text: string
  /** In units of which `LINE_WIDTH` fit in a line. */
  width: number
  startSeconds: number
  endSeconds: number
  /** A space separates it from the previous one. */
  hasSpaceBefore: boolean
}

/** A line has 42 characters, or 18 of twice the width: what broadcasters and streaming services agree on. */
const [CHARACTER_WIDTH, WIDE_CHARACTER_WIDTH] = [3, 7]
export const SPACE_WIDTH = CHARACTER_WIDTH
export const LINE_WIDTH = 42 * CHARACTER_WIDTH

/** A pause of this length always ends a cue: its text would stand for nothing. */
export const LONG_PAUSE_SECONDS = 1.5

const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
/** Writing without spaces between words, and its punctuation. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3000-\u303f\uff01-\uff60]/u
const closing = /^[.,!?;:…%)\]}»”’、。，．！？；：」』）】》〉]+$/u
const opening = /^[([{«“‘¿¡「『（【《〈]+$/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wordBreaks = new Intl.Segmenter('en', { granularity: 'word' })
const graphemesOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)

function widthOf(text: string): number {
  if (/^[!-~]*$/.test(text)) return text.length * CHARACTER_WIDTH
  return graphemesOf(text).reduce(
    (sum, grapheme) => sum + (wide.test(grapheme) ? WIDE_CHARACTER_WIDTH : CHARACTER_WIDTH),
    0,
  )
}

/**
 * Divides recognized words into phrases, in their order. A phrase is a word with its punctuation; no phrase is wider than
 * a line. Times never go back.
 */
export function toPhrases(words: readonly TimedText[]): Phrase[] {
  const runs: { pieces: TimedText[] }[] = []
  let previous: TimedText | undefined
  for (const piece of forwards(words.flatMap(withoutSpaces))) {
    const run = runs.at(-1)
    if (run && previous && isJoined(previous, piece)) run.pieces.push(piece)
    else runs.push({ pieces: [piece] })
    previous = piece
  }
  return runs.flatMap(({ pieces }) => phrasesOf(pieces))
}

/** The parts of a word that contains spaces; control characters count as such. */
function withoutSpaces(word: TimedText): TimedText[] {
  const parts = word.text.split(/[\s\p{Cc}]+/u).filter(Boolean)
  return parts.length === 1 ? [{ ...word, text: parts[0] ?? '' }] : spread(parts, word)
}

/** Gives each part of a text a share of its time, by length. */
function spread(parts: readonly string[], time: Omit<TimedText, 'text'>): TimedText[] {
  const total = parts.reduce((sum, part) => sum + part.length, 0)
  let before = 0
  return parts.map((text) => {
    const at = (characters: number) =>
      time.startSeconds + ((time.endSeconds - time.startSeconds) * characters) / total
    const startSeconds = at(before)
    before += text.length
    return { ...time, text, startSeconds, endSeconds: at(before) }
  })
}

/** Words whose times do not go back, as a recognizer's may by some hundredths. */
function forwards(words: readonly TimedText[]): TimedText[] {
  let last = 0
  return words.map((word) => {
    const startSeconds = Math.max(last, Number.isFinite(word.startSeconds) ? word.startSeconds : last)
    const endSeconds = Math.max(startSeconds, Number.isFinite(word.endSeconds) ? word.endSeconds : last)
    last = startSeconds
    return { ...word, startSeconds, endSeconds }
  })
}

function isJoined(previous: TimedText, next: TimedText): boolean {
  if (closing.test(next.text)) return true
  if (next.startSeconds - previous.endSeconds >= LONG_PAUSE_SECONDS) return false
  return unspaced.test(previous.text.at(-1) ?? '') && unspaced.test(next.text.charAt(0))
}

/** The phrases of pieces without spaces between them. */
function phrasesOf(pieces: readonly TimedText[]): Phrase[] {
  const text = pieces.map((piece) => piece.text).join('')
  const parts = unspaced.test(text) ? wordsWithPunctuation(text) : [text]
  const times = pieces.flatMap((piece) => spread(Array.from(piece.text, String), piece))
  let at = 0
  return parts
    .flatMap((part) => fitting(part))
    .map((part, index) => {
      const characters = times.slice(at, at + Array.from(part).length)
      at += characters.length
      return {
        text: part,
        width: widthOf(part),
        startSeconds: characters[0]?.startSeconds ?? 0,
        endSeconds: characters.at(-1)?.endSeconds ?? 0,
        hasSpaceBefore: index === 0,
      }
    })
}

/** Words of text without spaces. No line begins with closing punctuation, or ends with opening punctuation. */
function wordsWithPunctuation(text: string): string[] {
  const words: string[] = []
  for (const { segment } of wordBreaks.segment(text)) {
    const last = words.at(-1)
    if (last !== undefined && (closing.test(segment) || opening.test(last)))
      words.push(`${words.pop()}${segment}`)
    else words.push(segment)
  }
  return words
}

/** Parts of a word that are no wider than a line; almost always the word. */
function fitting(word: string): string[] {
  if (widthOf(word) <= LINE_WIDTH) return [word]
  const parts: string[] = []
  let part = ''
  for (const grapheme of graphemesOf(word)) {
    if (part !== '' && widthOf(part + grapheme) > LINE_WIDTH) {
      parts.push(part)
      part = ''
    }
    part += grapheme
  }
  return [...parts, part]
}
