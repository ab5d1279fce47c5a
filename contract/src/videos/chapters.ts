import type { Chapter } from './videos.ts'

/** Fewer timestamps are not a list of chapters: the description only mentions moments. */
export const MIN_CHAPTERS = 3
/** Shorter chapters are hard to distinguish on the seek bar. */
export const MIN_CHAPTER_SECONDS = 5

/** Longer lines are sentences. Also bounds the running time of the patterns below. */
const MAX_LINE_CHARACTERS = 300

const timestamp = String.raw`(?:\d{1,2}:)?\d{1,3}:[0-5]\d`
/** "1. [0:00] - Opening" and "0:00-1:30 Opening": a timestamp, or a range, before the title. */
const leadingTimestamp = new RegExp(
  String.raw`^[\s\-‐-―•*·>([]*(?:\d{1,3}[.)]\s+[([]?)?(${timestamp})(?!\d|:\d)(?:\s*[-‐-―]\s*${timestamp}(?!\d|:\d))?`,
)
/** "Opening (0:00)": a timestamp behind the title. */
const trailingTimestamp = new RegExp(String.raw`[\s\-‐-―:|,([•*·~](${timestamp})[\s)\].,]*$`)
/** Characters between a title and its timestamp, which belong to neither. */
const separators = new Set(' \t-‐‑‒–—―−:|.,()[]•*·~>')

const eachTimestamp = new RegExp(String.raw`(?<![\d:.])${timestamp}(?!\d|:\d)`, 'g')

/** The times that a text mentions, in seconds. */
export const timesIn = (text: string): number[] => [
  ...new Set(Array.from(text.matchAll(eachTimestamp), ([found]) => secondsOf(found))),
]

/** A text with other times. Those for which there is none stay as they are. */
export const withTimes = (text: string, timeOf: (seconds: number) => number | undefined): string =>
  text.replaceAll(eachTimestamp, (found) => {
    const seconds = timeOf(secondsOf(found))
    return seconds === undefined ? found : formatChapterTime(seconds)
  })

const secondsOf = (stamp: string): number =>
  stamp.split(':').reduce((total, part) => total * 60 + Number(part), 0)

/** A chapter lasts until the next one begins. */
export interface ChapterStart {
  title: string
  startSeconds: number
}

/**
 * Chapters that a description lists: lines that begin or end with a timestamp, from the first line at 0:00 on while the
 * times ascend. Returns none for fewer than three, or where one is shorter than five seconds.
 */
export function chaptersOf(description: string, durationSeconds: number): Chapter[] {
  const starts = listedStarts(linesOf(description), durationSeconds)
  return endChapters(
    starts.map(({ title, startSeconds }) => ({ title, startSeconds })),
    durationSeconds,
  )
}

/**
 * A description with these chapters in place of those that it lists, or below its text. `chaptersOf` reads them from it
 * where `chapterErrors` finds nothing.
 */
export function withChapters(
  description: string,
  durationSeconds: number,
  chapters: readonly ChapterStart[],
): string {
  const lines = linesOf(description)
  const listed = new Set(listedStarts(lines, durationSeconds).map(({ line }) => line))
  const list = chapters.map(lineOf)
  const [first] = listed
  if (first === undefined)
    return [description.trimEnd(), list.join('\n')].filter((part) => part !== '').join('\n\n')
  return lines
    .flatMap((text, line) => (line === first ? list : listed.has(line) ? [] : [text]))
    .join('\n')
    .trim()
}

/** The first chapter is not at 0:00, one begins after the video, is too short or lacks a title. */
export type ChapterProblem = 'lateStart' | 'afterEnd' | 'tooShort' | 'noTitle'

/** Problems of each chapter of a list, and whether the list is too short. */
export function chapterErrors(
  chapters: readonly ChapterStart[],
  durationSeconds: number,
): { ofEach: (ChapterProblem | undefined)[]; isShort: boolean } {
  const ofEach = chapters.map((chapter, index) => {
    const { startSeconds } = chapter
    const before = chapters[index - 1]
    if (!before && startSeconds !== 0) return 'lateStart'
    if (startSeconds >= durationSeconds) return 'afterEnd'
    if (before && startSeconds - before.startSeconds < MIN_CHAPTER_SECONDS) return 'tooShort'
    return startOf(lineOf(chapter)) ? undefined : 'noTitle'
  })
  return { ofEach, isShort: chapters.length > 0 && chapters.length < MIN_CHAPTERS }
}

/** Gives each chapter the start of the next one as its end. */
export function endChapters(starts: readonly ChapterStart[], durationSeconds: number): Chapter[] {
  return starts.map((start, index) => ({
    ...start,
    endSeconds: starts[index + 1]?.startSeconds ?? durationSeconds,
  }))
}

const linesOf = (text: string) => text.split(/\r\n?|\n/)

/** Starts of chapters with the indexes of their lines. */
function listedStarts(
  lines: readonly string[],
  durationSeconds: number,
): (ChapterStart & { line: number })[] {
  const starts = lines.flatMap((text, line) => {
    const start = startOf(text)
    return start && start.startSeconds < durationSeconds ? [{ ...start, line }] : []
  })
  const first = starts.findIndex(({ startSeconds }) => startSeconds === 0)
  if (first === -1) return []
  const listed: typeof starts = []
  for (const start of starts.slice(first)) {
    const last = listed.at(-1)
    if (last && start.startSeconds <= last.startSeconds) break
    listed.push(start)
  }
  // The last one may be as short as what is left of the video.
  const areLong = listed.every(({ startSeconds }, index) => {
    const before = listed[index - 1]
    return !before || startSeconds - before.startSeconds >= MIN_CHAPTER_SECONDS
  })
  return listed.length >= MIN_CHAPTERS && areLong ? listed : []
}

/** A line that `startOf` reads. */
const lineOf = ({ title, startSeconds }: ChapterStart) => `${formatChapterTime(startSeconds)} ${title}`

/** 3661 -> 1:01:01, 61 -> 1:01 */
export function formatChapterTime(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

function startOf(line: string): ChapterStart | undefined {
  if (line.length > MAX_LINE_CHARACTERS) return undefined
  const first = leadingTimestamp.exec(line)
  const found = first ?? trailingTimestamp.exec(line)
  if (!found?.[1]) return undefined
  const title = first ? trimStart(line.slice(first[0].length)) : trimEnd(line.slice(0, found.index))
  if (!title) return undefined
  return { title, startSeconds: secondsOf(found[1]) }
}

/** The title after a timestamp, without the separators between them. */
function trimStart(text: string): string {
  const from = Array.from(text).findIndex((character) => !separators.has(character))
  // Keeps the bracket of "0:00 (Live) Opening". The bracket before a timestamp is not in `text`.
  const isOpened = from > 0 && '(['.includes(text[from - 1] ?? '')
  return from === -1 ? '' : text.slice(isOpened ? from - 1 : from).trim()
}

/** The title before a timestamp, without the separators between them and without the marker of a list item. */
function trimEnd(text: string): string {
  const to = Array.from(text).findLastIndex((character) => !separators.has(character))
  return Array.from(text)
    .slice(0, to + 1)
    .join('')
    .replace(/^[\s\-‐-―•*·]+/, '')
}
