import type { Cue } from '@kinora/contract/videos/caption-cues.ts'
import { escapeCueLine } from '../encode/webvtt.ts'
import { LINE_WIDTH, LONG_PAUSE_SECONDS, SPACE_WIDTH, toPhrases, type Phrase } from './phrases.ts'
import type { TimedText } from './speech.ts'

/** Longer cues are read twice; shorter ones are missed. */
const MAX_CUE_SECONDS = 7
const MIN_CUE_SECONDS = 0.8
/** Shortest cue of words that follow each other faster than anybody speaks. */
const MIN_SHOWN_SECONDS = 0.1
const PAUSE_SECONDS = 0.5
const SHORT_PAUSE_SECONDS = 0.25
/** Fast, but readable. */
const CHARACTERS_PER_SECOND = 20

const sentenceEnd = /[.!?…。！？।؟]["'”’»)\]」』）]*$/u
/** Such as `J.` */
const initial = /^\p{L}\.$/u
const clauseEnd = /[,;:—–、，；：]["'”’»)\]」』）]*$/u

const endsSentence = ({ text }: Phrase) => sentenceEnd.test(text) && !initial.test(text)

/**
 * Lays out words as captions: at most two lines of 42 characters (18 of twice the width), at most 7 seconds, and if there
 * is room for it at least 0.8. Cues break at the ends of sentences and at pauses. The text of the result is escaped, and
 * its order and all its characters but spaces are those of the words.
 */
export function layOutCues(words: readonly TimedText[]): Cue[] {
  const phrases = toPhrases(words)
  const text = measure(phrases)
  const ends = findBreaks(text)
  return placeInTime(
    ends.map((end, index) => {
      const from = ends[index - 1] ?? 0
      return {
        startSeconds: phrases[from]?.startSeconds ?? 0,
        endSeconds: phrases[end - 1]?.endSeconds ?? 0,
        text: formatLines(text, from, end),
        characters: text.width(from, end) / SPACE_WIDTH,
      }
    }),
  )
}

interface MeasuredText {
  phrases: readonly Phrase[]
  /** Width of the phrases from one index to before another one, on one line. */
  width(from: number, end: number): number
  /** Cost of these phrases in one cue. */
  cost(from: number, end: number): number
}

/** Sums up widths and costs, so that those of a range are a subtraction. */
function measure(phrases: readonly Phrase[]): MeasuredText {
  const widths = [0]
  const costs = [0]
  for (const [index, phrase] of phrases.entries()) {
    widths.push((widths[index] ?? 0) + phrase.width + (phrase.hasSpaceBefore ? SPACE_WIDTH : 0))
    costs.push((costs[index] ?? 0) + costWithin(phrase, phrases[index + 1]))
  }
  const between = (sums: readonly number[], from: number, end: number) => (sums[end] ?? 0) - (sums[from] ?? 0)
  return {
    phrases,
    width: (from, end) =>
      between(widths, from, end) - (from < end && phrases[from]?.hasSpaceBefore ? SPACE_WIDTH : 0),
    cost: (from, end) => between(costs, from, Math.max(from, end - 1)),
  }
}

/** Indexes after the last phrase of each cue, by the cheapest of all divisions (dynamic programming, as TeX breaks lines). */
function findBreaks(text: MeasuredText): number[] {
  const { phrases } = text
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }]
  for (let end = 1; end <= phrases.length; end++) {
    let cheapest = { cost: Number.POSITIVE_INFINITY, from: end - 1 }
    for (let from = end - 1; from >= 0; from--) {
      const isOne = end - from === 1
      if (!isOne && (isTooLong(text, from, end) || mustBreakBetween(phrases[from], phrases[from + 1]))) break
      if (!fitsInTwoLines(text, from, end)) continue
      const cost = (best[from]?.cost ?? 0) + costOf(text, from, end)
      if (cost < cheapest.cost) cheapest = { cost, from }
    }
    best.push(cheapest)
  }
  const ends: number[] = []
  for (let end = phrases.length; end > 0; end = best[end]?.from ?? 0) ends.push(end)
  return ends.toReversed()
}

function isTooLong({ phrases, width }: MeasuredText, from: number, end: number): boolean {
  const seconds = (phrases[end - 1]?.endSeconds ?? 0) - (phrases[from]?.startSeconds ?? 0)
  return seconds > MAX_CUE_SECONDS || width(from, end) > 2 * LINE_WIDTH + SPACE_WIDTH
}

/** Whether the rest fits in the lower line if the upper line is as full as possible. */
function fitsInTwoLines({ width }: MeasuredText, from: number, end: number): boolean {
  if (width(from, end) <= LINE_WIDTH) return true
  let at = from + 1
  while (width(from, at + 1) <= LINE_WIDTH) at++
  return width(at, end) <= LINE_WIDTH
}

function mustBreakBetween(phrase: Phrase | undefined, next: Phrase | undefined): boolean {
  return pauseBetween(phrase, next) >= LONG_PAUSE_SECONDS
}

const pauseBetween = (phrase: Phrase | undefined, next: Phrase | undefined) =>
  (next?.startSeconds ?? 0) - (phrase?.endSeconds ?? 0)

/** How much worse a cue makes the captions. One cue more costs 1. */
function costOf({ phrases, width, cost }: MeasuredText, from: number, end: number): number {
  const [first, last, next] = [phrases[from], phrases[end - 1], phrases[end]]
  if (!first || !last) return 0
  const room = (next?.startSeconds ?? last.endSeconds + MIN_CUE_SECONDS) - first.startSeconds
  const seconds = Math.max(room, 0.05)
  const charactersPerSecond = width(from, end) / SPACE_WIDTH / seconds
  return (
    1 +
    (next ? costOfBreak(last, next) : 0) +
    cost(from, end) +
    // A cue that has to be short, or read fast.
    (seconds < MIN_CUE_SECONDS ? 3 : 0) +
    Math.max(0, 1.2 - seconds) * 2 +
    Math.max(0, charactersPerSecond - CHARACTERS_PER_SECOND) * 0.05
  )
}

/** The cost of a phrase and the next one in the same cue. */
function costWithin(phrase: Phrase, next: Phrase | undefined): number {
  const pause = pauseBetween(phrase, next)
  return (endsSentence(phrase) ? 1.2 : 0) + (pause >= PAUSE_SECONDS ? pause : 0)
}

/** The cost of a phrase and the next one in different cues. */
function costOfBreak(phrase: Phrase, next: Phrase): number {
  if (endsSentence(phrase) || mustBreakBetween(phrase, next)) return 0
  const pause = pauseBetween(phrase, next)
  if (pause >= PAUSE_SECONDS) return 0.1
  if (clauseEnd.test(phrase.text)) return 0.5
  return pause >= SHORT_PAUSE_SECONDS ? 0.6 : 2.5
}

/** How much less even lines may be for a break after punctuation. */
const PUNCTUATION_BONUS = LINE_WIDTH / 4

/** The lines of a cue: one if it is wide enough, else two that are about equal. */
function formatLines({ phrases, width }: MeasuredText, from: number, end: number): string {
  const lineOf = (start: number, stop: number) => escapeCueLine(join(phrases.slice(start, stop)))
  if (width(from, end) <= LINE_WIDTH) return lineOf(from, end)
  let best = { at: from, cost: Number.POSITIVE_INFINITY }
  for (let at = from + 1; at < end; at++) {
    const [upper, lower] = [width(from, at), width(at, end)]
    if (Math.max(upper, lower) > LINE_WIDTH) continue
    const last = phrases[at - 1]?.text ?? ''
    const bonus = clauseEnd.test(last) || sentenceEnd.test(last) ? PUNCTUATION_BONUS : 0
    const cost = Math.abs(upper - lower) - bonus
    if (cost < best.cost) best = { at, cost }
  }
  return `${lineOf(from, best.at)}\n${lineOf(best.at, end)}`
}

function join(line: readonly Phrase[]): string {
  return line
    .map(({ text, hasSpaceBefore }, index) => (index > 0 && hasSpaceBefore ? ` ${text}` : text))
    .join('')
}

/** Shows each cue long enough to be read, if the next one leaves time for it. Times are whole milliseconds. */
function placeInTime(
  cues: readonly { startSeconds: number; endSeconds: number; text: string; characters: number }[],
): Cue[] {
  const placed: Cue[] = []
  for (const [index, { text, characters, ...spoken }] of cues.entries()) {
    const start = Math.max(spoken.startSeconds, placed.at(-1)?.endSeconds ?? 0)
    const next = cues[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY
    const readable = start + Math.max(MIN_CUE_SECONDS, characters / CHARACTERS_PER_SECOND)
    const end = Math.min(Math.max(spoken.endSeconds, readable), next, start + MAX_CUE_SECONDS)
    placed.push({
      startSeconds: toMilliseconds(start),
      endSeconds: toMilliseconds(Math.max(end, start + MIN_SHOWN_SECONDS)),
      text,
      settings: '',
    })
  }
  return placed
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
