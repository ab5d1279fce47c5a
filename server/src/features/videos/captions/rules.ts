import { parseCaptions, spokenTextOf } from '@kinora/contract/videos/caption-cues.ts'
import { isKept, toCutSpan, toCutTime } from '@kinora/contract/videos/cut-times.ts'
import { normalizeText } from '@kinora/contract/characters.ts'
import { formatTimestamp } from '@kinora/media/encode/webvtt.ts'
import { describedChapters, type TimedDescription } from '../videos/rules.ts'
import type { KeptRange } from '@kinora/media/plan/cut.ts'

const names = new Intl.DisplayNames(['en'], { type: 'language' })

const automatic = ' (automatic)'

/** BCP 47 for speech whose language is not known. */
export const unknownLanguage = 'und'

/** The name of automatic captions, which says so in players that show nothing else. */
export const automaticLabelOf = (language: string): string =>
  `${language === unknownLanguage ? 'Captions' : labelOf(undefined, language)}${automatic}`

/** The name of a track once its owner has edited it. */
export const editedLabelOf = (label: string): string =>
  label.endsWith(automatic) ? label.slice(0, -automatic.length) : label

/** Returns the name of a track: its label, or else the name of its language. */
export function labelOf(label: string | undefined, language: string): string {
  return label?.trim() ? label : (names.of(language) ?? language)
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
  cut: KeptRange[] | null
  descriptionCut: KeptRange[] | null
}

/** A moment of a source, which is given by its index. */
export interface FoundMoment extends TimedText {
  source: number
}

/** Sentences and chapters with all words of a term, in the first source of each video that has one. */
export function findMoments(term: string, sources: readonly MomentSource[], limit: number): FoundMoment[] {
  const found = new Map<string, FoundMoment>()
  for (const [source, { videoId, kind, text, cut, ...video }] of sources.entries()) {
    if (found.size === limit) break
    if (found.has(videoId)) continue
    const texts =
      kind === 'chapter'
        ? titlesOf({ ...video, description: text, cut })
        : sentencesOf(cut ? cutCaptions(text, cut) : text)
    const moment = momentWith(term, texts)
    if (moment) found.set(videoId, { source, startSeconds: moment.startSeconds, text: moment.text })
  }
  return [...found.values()]
}

const sentencesOf = (vtt: string): TimedText[] =>
  parseCaptions(vtt).cues.map(({ startSeconds, text }) => ({ startSeconds, text: spokenTextOf(text) }))

const titlesOf = (video: TimedDescription): TimedText[] =>
  describedChapters(video).map(({ title, startSeconds }) => ({ text: title, startSeconds }))

const cueTime = /(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)\.(\d{3})/g

/** Speech may run this long into what was removed: times of captions are not exact. */
const spokenSlackSeconds = 0.3

/**
 * WebVTT of a video as its viewers see it. A cue stays if nearly all of it is seen; of one with times of its words, those that
 * are seen. Notes say anything about the whole video, so none is sent.
 */
export function cutCaptions(vtt: string, keep: readonly KeptRange[]): string {
  const blocks = vtt.replaceAll(/\r\n?/g, '\n').split(/\n{2,}/)
  return `${blocks
    .flatMap((block) => cutBlock(block, keep))
    .join('\n\n')
    .trimEnd()}\n`
}

/** A block of WebVTT: a cue, a note, or the header and styles, which stay without comments. */
function cutBlock(block: string, keep: readonly KeptRange[]): string[] {
  if (/^NOTE(\s|$)/.test(block)) return []
  if (block.startsWith('WEBVTT')) return ['WEBVTT']
  if (/^(STYLE|REGION)(\s|$)/.test(block)) return [block.replaceAll(/\/\*[^]*?\*\//g, '')]
  const lines = block.split('\n')
  const at = lines.findIndex((line) => line.includes('-->'))
  const timing = lines[at]
  if (timing === undefined) return []
  const [startSeconds = 0, endSeconds = 0] = Array.from(timing.matchAll(cueTime), secondsOfTime)
  const span = toCutSpan(keep, { startSeconds, endSeconds })
  const text = span && cutText(lines.slice(at + 1).join('\n'), { startSeconds, endSeconds }, keep)
  if (text === undefined) return []
  const shown = timing.replaceAll(cueTime, (...match) => shownTime(match, keep))
  return [[...lines.slice(0, at), shown, text].join('\n')]
}

const wordTime = /<(?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3}>/g

/** The part of the text of a cue that viewers hear; undefined without any. */
function cutText(text: string, cue: KeptRange, keep: readonly KeptRange[]): string | undefined {
  const stamps = text.match(wordTime) ?? []
  if (stamps.length === 0) return isHeard(cue, keep) ? text : undefined
  const times = stamps.map((stamp) => Array.from(stamp.matchAll(cueTime), secondsOfTime)[0] ?? 0)
  const words = text.split(wordTime).flatMap((word, i) => {
    const startSeconds = times[i - 1] ?? cue.startSeconds
    if (!isHeard({ startSeconds, endSeconds: times[i] ?? cue.endSeconds }, keep)) return []
    const stamp = stamps[i - 1]?.replaceAll(cueTime, (...match) => shownTime(match, keep)) ?? ''
    return [`${stamp}${word}`]
  })
  const heard = words.join('')
  return heard.replaceAll(/<[^>]*>/g, '').trim() === '' ? undefined : heard
}

/** Whether nearly all of a span is seen. */
function isHeard({ startSeconds, endSeconds }: KeptRange, keep: readonly KeptRange[]): boolean {
  const seen = toCutTime(keep, endSeconds) - toCutTime(keep, startSeconds)
  const removed = endSeconds - startSeconds - seen
  return removed <= spokenSlackSeconds && isKept(keep, (startSeconds + endSeconds) / 2)
}

const shownTime = (match: readonly string[], keep: readonly KeptRange[]): string =>
  formatTimestamp(toCutTime(keep, secondsOfTime(match)))

const secondsOfTime = ([, hours, minutes, seconds, millis]: readonly (string | undefined)[]): number =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(millis) / 1000
