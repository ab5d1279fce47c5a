import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import { normalizeText } from '@kinora/contract/characters.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { decodeParts, encodeParts } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'

/** A word of the vocabulary that a typed word may match. */
export interface WordMatch {
  /** As typed. */
  word: string
  match: string
  kind: 'exact' | 'part of a run' | 'inflection' | 'beginning' | 'inner part' | 'mistake'
  /** Approximate number of videos in which the match occurs. */
  videosCount: number
}

/** One interpretation of a typed word: any of `words`, or all with that prefix, and the weight of a match. */
interface Term {
  words: string[]
  areBeginnings: boolean
  weight: number
}

export interface SearchPlan {
  terms: Term[]
  /** Every video with one of these is ranked. */
  ranked: string[]
  /**
   * Words too common for that, each in its forms. If the others find little, the newest videos with one of these words
   * are ranked too, and prominent videos with all of them.
   */
  common: string[][]
  /**
   * Words that a large part of all videos have, each in its forms. A video that shares only these with the text is a
   * result only if the text is the title of a video, because titles are used to find related videos.
   */
  commonInTitles: string[][]
}

/** Weight of a match, relative to the exact word. */
const matchWeights = {
  exact: 1,
  'part of a run': 0.9,
  inflection: 0.8,
  beginning: 0.5,
  'inner part': 0.45,
  mistake: 0.4,
} as const

/** Added to the score of the best results, as a share of it. */
export const rankingBoosts = {
  /** The title is the text. */
  exactTitle: 0.5,
  /** The title contains the text as a phrase. */
  titlePhrase: 0.15,
  /** Times the natural logarithm of one more than the views. */
  perLogView: 0.004,
} as const

/** Approximate number of videos that a search ranks, however common its words are. */
const videosBudget = 500
/** With this many results, common words need not add more. */
const plenty = 200

/** Whether a match is close enough to what was typed: one mistake, or in a long word two. */
export function isLikelyMatch({ kind, word, match }: WordMatch, mistakes: 1 | 2): boolean {
  return kind !== 'mistake' || mistakesBetween(word, match) <= mistakes
}

/** Words with at least this many letters and no digits may have a second mistake if nothing else matches. */
const twiceMistaken = /^[^0-9]{7,30}$/

/** Typed words that match nothing, but may have two mistakes. */
export function mistyped(words: readonly string[], matches: readonly WordMatch[]): string[] {
  const known = new Set(matches.map(({ word }) => word))
  return words.filter((word) => !known.has(word) && twiceMistaken.test(word))
}

/** A text without letters and digits, such as `%` or an emoji, to be searched in titles; undefined for other texts. */
export function signsOf(term: string): string | undefined {
  return /[\p{L}\p{N}]/u.test(normalizeText(term, 'NFKC')) ? undefined : term
}

/**
 * A word is very common in this share of all videos, and in at least `minVeryCommonVideos`: in a small library every
 * shared word is significant.
 */
const veryCommonShare = 0.1
const minVeryCommonVideos = 20

/** Letters of scripts without spaces between words: Thai, Lao, Burmese, Khmer. */
const runs = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+/g
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Whether a text has letters of a script without spaces between words. */
export const hasRuns = (text: string) => text.search(runs) >= 0

/** Whether a text may have a word such as "Node.js", which is also indexed without the dot. */
export const hasJoinedWords = (text: string) =>
  /[\p{L}\p{M}\p{N}][.\-_‐‑][\p{L}\p{N}]/u.test(normalizeText(text, 'NFKC'))

/** A text with the words of each run of letters added after the run. */
export function separateRuns(text: string): string {
  return text.replaceAll(runs, (run) => {
    const words = [...segmenter.segment(run)].map(({ segment }) => segment).filter(({ length }) => length > 1)
    return [...new Set([run, ...words])].join(' ')
  })
}

/** Drops inner parts next to better matches, and very common words as corrections of a mistake. */
function dropUnlikely(group: WordMatch[], veryCommon: number): WordMatch[] {
  const isNear = group.some(({ kind }) => kind === 'exact' || kind === 'inflection' || kind === 'beginning')
  const nearest = isNear ? group.filter(({ kind }) => kind !== 'inner part') : group
  const likely = nearest.filter(({ kind, videosCount }) => kind !== 'mistake' || videosCount < veryCommon)
  return likely.length > 0 ? likely : nearest
}

/** Whether a typed word, in any of its own forms, is in a large part of all videos. */
function isVeryCommon(group: WordMatch[], veryCommon: number): boolean {
  const own = group.filter(({ kind }) => kind === 'exact' || kind === 'inflection')
  return (own.length > 0 ? own : group).some(({ videosCount }) => videosCount >= veryCommon)
}

/** A typed word with its likely matches. */
interface TypedWord {
  matches: WordMatch[]
  videosCount: number
  isVeryCommon: boolean
}

/**
 * Plans the search: rare words are more significant than common ones, and match few videos. Very common words are not
 * searched, unless the text consists of such words.
 */
export function planSearch(words: readonly string[], matches: WordMatch[], totalVideos: number): SearchPlan {
  const typed = classify(matches, totalVideos)
  const hasOthers = typed.length < words.length || typed.some((word) => !word.isVeryCommon)
  const isIgnored = (word: TypedWord) => word.isVeryCommon && hasOthers
  const { ranked, videosCount, overflow } = spendBudget(typed.filter((word) => !isIgnored(word)))
  const isPlenty = videosCount >= plenty
  return {
    terms: typed.flatMap(termsOf),
    ranked,
    common: isPlenty ? [] : commonOf(overflow),
    commonInTitles: isPlenty
      ? []
      : typed.filter(isIgnored).map((word) => word.matches.map(({ match }) => match)),
  }
}

/** Typed words that match anything, the rarest first. */
function classify(matches: WordMatch[], totalVideos: number): TypedWord[] {
  // unknown before words are counted for the first time
  const veryCommon = totalVideos > 0 ? Math.max(minVeryCommonVideos, totalVideos * veryCommonShare) : Infinity
  return [...Map.groupBy(matches, ({ word }) => word).values()]
    .map((all) => dropUnlikely(all, veryCommon))
    .map((likely) => ({
      matches: likely,
      videosCount: countOf(likely),
      isVeryCommon: isVeryCommon(likely, veryCommon),
    }))
    .sort((a, b) => a.videosCount - b.videosCount)
}

/** Matches whose videos are all ranked, with the number of these, and for each word the matches beyond `videosBudget`. */
function spendBudget(typed: TypedWord[]) {
  const ranked: string[] = []
  const overflow: WordMatch[][] = []
  let found = 0
  for (const { matches } of typed) {
    // the word itself before its alternatives, and of these the rarest first
    const byWeight = matches.toSorted(
      (a, b) => matchWeights[b.kind] - matchWeights[a.kind] || a.videosCount - b.videosCount,
    )
    const tooMany: WordMatch[] = []
    for (const [at, match] of byWeight.entries()) {
      // if the word itself is too common, its completions are not likely meant
      const isUnlikely = byWeight[0]?.kind === 'exact' && at > 0 && !ranked.includes(match.word)
      if (isUnlikely || found + match.videosCount > videosBudget) {
        tooMany.push(match)
      } else {
        ranked.push(match.match)
        found += match.videosCount
      }
    }
    if (tooMany.length > 0) overflow.push(tooMany)
  }
  return { ranked, videosCount: found, overflow }
}

/** The interpretations of a typed word, one for each kind of match. */
function termsOf({ matches, videosCount }: TypedWord): Term[] {
  return [...Map.groupBy(matches, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const weight = matchWeights[kind] / (1 + Math.log(Math.max(1, videosCount)))
    const areBeginnings = kind === 'beginning'
    const forms = ofKind.map(({ word, match }) => (areBeginnings ? word : match))
    return { words: [...new Set(forms)], areBeginnings, weight }
  })
}

/** The words themselves and their inflections; other matches only if there are none. */
function commonOf(overflow: WordMatch[][]): string[][] {
  const themselves = overflow
    .filter((group) => group.some(({ kind }) => kind === 'exact'))
    .map((group) => group.filter(({ kind }) => kind === 'exact' || kind === 'inflection'))
  return (themselves.length > 0 ? themselves : overflow).map((group) => group.map(({ match }) => match))
}

/** How common a typed word is: its own count, or that of its alternatives if it never occurs. */
function countOf(group: WordMatch[]): number {
  const exact = group.find(({ kind }) => kind === 'exact')
  return exact?.videosCount ?? group.reduce((sum, { videosCount }) => sum + videosCount, 0)
}

/**
 * Edit distance of two words: insertions, deletions, substitutions, and transpositions of neighbours (optimal string
 * alignment).
 */
export function mistakesBetween(a: string, b: string): number {
  const [from, to] = [Array.from(a), Array.from(b)]
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of from.entries()) {
    const next = [row + 1]
    for (const [column, other] of to.entries()) {
      const wrong = (last[column] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = column > 0 && row > 0 && letter === to[column - 1] && from[row - 1] === other
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : Infinity
      next.push(Math.min(wrong, swapped, (last[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}

/** The position after one row of search results. */
export interface SearchCursor {
  score: number
  at: string
  id: string
}

export function encodeSearchCursor({ score, at, id }: SearchCursor): string {
  return encodeParts([score, at, id])
}

/** Decodes a cursor; undefined stays undefined. Throws `invalid` for a malformed one. */
export function decodeSearchCursor(text: string | undefined): SearchCursor | undefined {
  if (text === undefined) return undefined
  const [score, at, id] = decodeParts(text, ['number', 'time', 'id'])
  return { score: Number(score), at, id }
}

const searchPath = `${apiPrefix}/video/search`

/** Whether a path is that of a search, whatever text follows. */
const isSearch = (path: string) => path === searchPath || path.startsWith(`${searchPath}/`)

/**
 * Makes a search URL routable whatever text follows: nothing, or slashes. A text that is not percent-encoded UTF-8
 * becomes one that no route accepts. Other URLs are unchanged.
 */
export function normalizeSearchUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2)
  if (!isSearch(path)) return url
  const encoded = decodeTerm(path.slice(searchPath.length + 1))
  const term = encoded === undefined ? '%' : encodeURIComponent(encoded || ' ')
  return `${searchPath}/${term}${query === undefined ? '' : `?${query}`}`
}

/** Undefined for invalid percent-encoding. Node's URL has unencoded bytes as Latin-1 characters. */
function decodeTerm(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    // Not UTF-8.
    return undefined
  }
}

/** The error for a search text that cannot be decoded; undefined for any other path. */
export function searchTextError(path: string): AppError | undefined {
  if (!isSearch(path)) return undefined
  return new AppError(watchingErrors.searchEncoding)
}
