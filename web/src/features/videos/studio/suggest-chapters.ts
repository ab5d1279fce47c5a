import type { Cue } from '@kinora/contract/videos/caption-cues.ts'
import { spokenTextOf } from '@kinora/contract/videos/caption-cues.ts'
import type { ChapterStart } from '@kinora/contract/videos/chapters.ts'

/** Speech that is compared as one. */
const BLOCK_SECONDS = 20
/** Blocks before and after a place that are compared. */
const WINDOW = 4
const MIN_SECONDS = 60
const MAX_CHAPTERS = 12
const TITLE_WORDS = 3
/** Words in more blocks than this part say nothing about a topic: "and", "so". */
const COMMON_SHARE = 0.35
/** A pause this long before a place counts like a change of a tenth of the words. */
const PAUSE_SECONDS = 2

interface Block {
  startSeconds: number
  /** Before the block. */
  pauseSeconds: number
  words: string[]
}

/**
 * Chapters that captions suggest: they begin where the words change, rather after a pause, and are named by words that occur in
 * them and seldom elsewhere. None for a video of less than three topics. Method: TextTiling (Hearst 1997, Computational
 * Linguistics 23(1)).
 */
export function suggestChapters(cues: readonly Cue[], durationSeconds: number): ChapterStart[] {
  const blocks = toBlocks(cues)
  const spread = countsOf(blocks.flatMap(({ words }) => [...new Set(words.map(fold))]))
  const isCommon = (word: string) => (spread.get(fold(word)) ?? 0) > Math.max(2, blocks.length * COMMON_SHARE)
  const distinctive = blocks.map(({ words }) => words.filter((word) => !isCommon(word)))
  const starts = findStarts(blocks, distinctive, Math.max(MIN_SECONDS, durationSeconds / MAX_CHAPTERS))
  if (starts.length < 2) return []
  const sections = [0, ...starts].map((from, index, all) => distinctive.slice(from, all[index + 1]).flat())
  const sectionsWith = countsOf(sections.flatMap((words) => [...new Set(words.map(fold))]))
  return sections.map((words, index) => ({
    startSeconds: index === 0 ? 0 : Math.floor(blocks[starts[index - 1] ?? 0]?.startSeconds ?? 0),
    title: titleOf(words, sections.length, sectionsWith),
  }))
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

const fold = (word: string) => word.toLocaleLowerCase()

function toBlocks(cues: readonly Cue[]): Block[] {
  const blocks: Block[] = []
  let endSeconds = 0
  for (const cue of cues) {
    const { startSeconds } = cue
    const words = [...segmenter.segment(spokenTextOf(cue.text))].flatMap(({ segment, isWordLike }) =>
      isWordLike && segment.length > 1 ? segment : [],
    )
    const last = blocks.at(-1)
    if (last && startSeconds - last.startSeconds < BLOCK_SECONDS) last.words.push(...words)
    else blocks.push({ startSeconds, pauseSeconds: Math.max(0, startSeconds - endSeconds), words })
    ;({ endSeconds } = cue)
  }
  return blocks
}

/** Indexes of the blocks that begin a chapter, the first one left out, at least `apartSeconds` from each other and both ends. */
function findStarts(blocks: readonly Block[], words: readonly string[][], apartSeconds: number): number[] {
  const similarities = blocks.map((_, at) =>
    cosine(words.slice(Math.max(0, at - WINDOW), at).flat(), words.slice(at, at + WINDOW).flat()),
  )
  const depths = blocks.map(({ pauseSeconds }, at) => {
    const here = similarities[at] ?? 0
    const around = (from: number, to: number) => Math.max(here, ...similarities.slice(Math.max(1, from), to))
    const depth = around(at - WINDOW, at) - here + around(at + 1, at + 1 + WINDOW) - here
    return depth + 0.1 * Math.min(1, pauseSeconds / PAUSE_SECONDS)
  })
  const inner = depths.slice(1)
  const mean = inner.reduce((sum, depth) => sum + depth, 0) / Math.max(1, inner.length)
  const deviation = Math.sqrt(
    inner.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / Math.max(1, inner.length),
  )
  const endSeconds = (blocks.at(-1)?.startSeconds ?? 0) + BLOCK_SECONDS
  const taken: number[] = []
  const deepestFirst = [...depths.entries()].toSorted(([, a], [, b]) => b - a)
  for (const [at, depth] of deepestFirst) {
    if (depth < mean + deviation / 2) break
    // the first chapter begins at 0:00, wherever somebody begins to speak
    if (at === 0) continue
    const seconds = blocks[at]?.startSeconds ?? 0
    const others = [0, endSeconds, ...taken.map((each) => blocks[each]?.startSeconds ?? 0)]
    if (others.every((other) => Math.abs(other - seconds) >= apartSeconds)) taken.push(at)
  }
  return taken.toSorted((a, b) => a - b).slice(0, MAX_CHAPTERS - 1)
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(fold(word), (counts.get(fold(word)) ?? 0) + 1)
  return counts
}

/** How much two texts have in common, from 0 to 1. */
function cosine(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [countsOf(a), countsOf(b)]
  const squares = (counts: Map<string, number>) => [...counts.values()].reduce((sum, n) => sum + n * n, 0)
  const shared = [...left].reduce((sum, [word, count]) => sum + count * (right.get(word) ?? 0), 0)
  return shared === 0 ? 0 : shared / Math.sqrt(squares(left) * squares(right))
}

/** The words that set a section apart, in the order in which they are said; empty where there are none. */
function titleOf(
  words: readonly string[],
  sections: number,
  sectionsWith: ReadonlyMap<string, number>,
): string {
  const counts = countsOf(words)
  const best = [...counts]
    .filter(([, count]) => count > 1)
    .map(([word, count]) => ({
      word,
      score: count * Math.log((sections + 1) / (sectionsWith.get(word) ?? 1)),
    }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, TITLE_WORDS)
    .map(({ word }) => word)
  const [first = '', ...others] = words.filter(
    (word, index) =>
      best.includes(fold(word)) && words.findIndex((each) => fold(each) === fold(word)) === index,
  )
  return [first.charAt(0).toLocaleUpperCase() + first.slice(1), ...others].filter(Boolean).join(', ')
}
