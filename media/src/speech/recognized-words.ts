import type { TimedText } from './speech.ts'

/** Result of `sherpa-onnx`. Which times there are depends on the model. */
export interface RecognizerResult {
  text: string
  lang?: string
  tokens?: string[]
  /** Start of each token, in seconds. */
  timestamps?: number[]
  /** Length of each token. */
  durations?: number[]
  /** Sentences or parts of them, with times that Whisper predicts. */
  segment_timestamps?: number[]
  segment_durations?: number[]
  segment_texts?: string[]
}

/** Length of a token without one, such as the last of a word. */
const TOKEN_SECONDS = 0.2
/** Repetitions of a phrase beyond this are a fault that recognizers are known for. */
const MAX_REPETITIONS = 4
const MAX_REPEATED_WORDS = 8

const unspaced = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/**
 * The words of a result, with times from the beginning of the audio. Parakeet and SenseVoice state the time of each token,
 * Whisper of each sentence, Moonshine none: words then share the time of their sentence, or of the audio, by length.
 */
export function wordsOf(result: RecognizerResult, audioSeconds: number): TimedText[] {
  const { tokens = [], timestamps = [] } = result
  const words =
    tokens.length > 0 && timestamps.length === tokens.length
      ? wordsOfTokens(result, audioSeconds)
      : segmentsOf(result, audioSeconds).flatMap(({ text, from, to }) => share(text, from, to))
  return withoutRepetition(words)
}

/** Joins tokens, which are parts of words: a token with a space begins a word. */
function wordsOfTokens(
  { tokens = [], timestamps = [], durations = [] }: RecognizerResult,
  audioSeconds: number,
) {
  const words: TimedText[] = []
  for (const [index, token] of tokens.entries()) {
    const text = token.replaceAll('▁', ' ')
    // Such as `<unk>` and `<|en|>`.
    if (/^ ?<.*>$/.test(text)) continue
    const startSeconds = Math.min(timestamps[index] ?? 0, audioSeconds)
    const next = timestamps[index + 1] ?? audioSeconds
    const length = (durations[index] ?? 0) > 0 ? (durations[index] ?? 0) : TOKEN_SECONDS
    const endSeconds = Math.min(startSeconds + length, Math.max(next, startSeconds), audioSeconds)
    const last = words.at(-1)
    const isUnspaced = unspaced.test(text) && unspaced.test(last?.text.at(-1) ?? '')
    if (last && !text.startsWith(' ') && !isUnspaced) {
      last.text += text.trimEnd()
      last.endSeconds = endSeconds
    } else if (text.trim() !== '') words.push({ text: text.trim(), startSeconds, endSeconds })
    // A space that is a token of its own.
    else if (last) words.push({ text: '', startSeconds, endSeconds })
  }
  return words.filter(({ text }) => text !== '')
}

function segmentsOf(
  {
    text,
    segment_texts: texts = [],
    segment_timestamps: starts = [],
    segment_durations: lengths = [],
  }: RecognizerResult,
  audioSeconds: number,
): { text: string; from: number; to: number }[] {
  const isTimed = texts.length > 0 && starts.length === texts.length && lengths.length === texts.length
  if (!isTimed) return [{ text, from: 0, to: audioSeconds }]
  return texts.map((segment, index) => {
    const from = Math.min(starts[index] ?? 0, audioSeconds)
    return { text: segment, from, to: Math.min(from + (lengths[index] ?? 0), audioSeconds) }
  })
}

function share(text: string, from: number, to: number): TimedText[] {
  const words = text.split(/\s+/).filter(Boolean)
  const total = words.reduce((sum, word) => sum + word.length, 0)
  let before = 0
  return words.map((word) => {
    const startSeconds = from + ((to - from) * before) / total
    before += word.length
    return { text: word, startSeconds, endSeconds: from + ((to - from) * before) / total }
  })
}

/** Shortens phrases of up to eight words that are repeated again and again, as recognizers do in noise. */
function withoutRepetition(words: readonly TimedText[]): TimedText[] {
  const result: TimedText[] = []
  for (const word of words) {
    result.push(word)
    for (let length = 1; length <= MAX_REPEATED_WORDS; length++) {
      if (repetitionsAtEnd(result, length) <= MAX_REPETITIONS) continue
      result.length -= length
      break
    }
  }
  return result
}

/** How often the last words are there in a row. */
function repetitionsAtEnd(words: readonly TimedText[], length: number): number {
  const same = (one: number, other: number) =>
    words[one]?.text.toLowerCase() === words[other]?.text.toLowerCase()
  let repetitions = 1
  for (let at = words.length - 2 * length; at >= 0; at -= length) {
    for (let offset = 0; offset < length; offset++)
      if (!same(at + offset, words.length - length + offset)) return repetitions
    repetitions += 1
    if (repetitions > MAX_REPETITIONS) break
  }
  return repetitions
}
