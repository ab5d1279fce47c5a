import { z } from 'zod'

export const Chapter = z.object({
  title: z.string(),
  startSeconds: z.number().describe('From the beginning of the video.'),
  endSeconds: z.number().describe('Where the next chapter begins, or the video ends.'),
})
export type Chapter = z.infer<typeof Chapter>

/** Fewer timestamps are not a list of chapters: the description only mentions moments. */
const MIN_CHAPTERS = 3
/** Shorter chapters are hard to distinguish on the seek bar. */
const MIN_CHAPTER_SECONDS = 5

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

interface Start {
  title: string
  startSeconds: number
}

/**
 * Chapters that a description lists: lines that begin or end with a timestamp, from the first line at 0:00 on while the
 * times ascend. Returns none for fewer than three, or where one is shorter than five seconds. Pure.
 */
export function chaptersOf(description: string, durationSeconds: number): Chapter[] {
  const starts = description
    .split(/\r\n?|\n/)
    .flatMap((line) => startOf(line) ?? [])
    .filter(({ startSeconds }) => startSeconds < durationSeconds)
  const first = starts.findIndex(({ startSeconds }) => startSeconds === 0)
  if (first === -1) return []
  const listed: Start[] = []
  for (const start of starts.slice(first)) {
    const last = listed.at(-1)
    if (last && start.startSeconds <= last.startSeconds) break
    listed.push(start)
  }
  const chapters = endChapters(listed, durationSeconds)
  const isList = chapters.length >= MIN_CHAPTERS
  // The last one may be as short as what is left of the video.
  const areLong = chapters.slice(0, -1).every((chapter) => lengthOf(chapter) >= MIN_CHAPTER_SECONDS)
  return isList && areLong ? chapters : []
}

/** Gives each chapter the start of the next one as its end. */
export function endChapters(starts: readonly Start[], durationSeconds: number): Chapter[] {
  return starts.map((start, index) => ({
    ...start,
    endSeconds: starts[index + 1]?.startSeconds ?? durationSeconds,
  }))
}

const lengthOf = ({ startSeconds, endSeconds }: Chapter) => endSeconds - startSeconds

function startOf(line: string): Start | undefined {
  if (line.length > MAX_LINE_CHARACTERS) return undefined
  const first = leadingTimestamp.exec(line)
  const found = first ?? trailingTimestamp.exec(line)
  if (!found?.[1]) return undefined
  const title = first ? trimStart(line.slice(first[0].length)) : trimEnd(line.slice(0, found.index))
  if (!title) return undefined
  const startSeconds = found[1].split(':').reduce((total, part) => total * 60 + Number(part), 0)
  return { title, startSeconds }
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
