import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { AppError } from '../../platform/errors.ts'

/** A word of the vocabulary that a typed word may stand for. */
export interface WordMatch {
  /** As typed. */
  word: string
  match: string
  kind: 'exact' | 'inflection' | 'beginning' | 'mistake'
  /** In about how many videos the match occurs. */
  videosCount: number
}

/** What a typed word stands for in one way: any of `words`, or all they begin, and how much finding one is worth. */
interface Term {
  words: string[]
  areBeginnings: boolean
  weight: number
}

export interface SearchPlan {
  terms: Term[]
  /** Every video with one of these is ranked. */
  sought: string[]
  /** Too common for that: where the others find little, some of the newest videos with these are ranked as well. */
  common: string[]
}

/** How much a match is worth beside the very word. */
const worth = { exact: 1, inflection: 0.8, beginning: 0.5, mistake: 0.4 } as const

/** A search ranks about so many videos, however common its words are. */
const videosBudget = 2000
/** With so many found, common words need not find more. */
const plenty = 300

/** Decides what to look for: rare words say more than common ones, and lead to few videos. */
export function planSearch(matches: WordMatch[]): SearchPlan {
  const accepted = matches.filter(
    ({ kind, word, match }) => kind !== 'mistake' || isOneMistakeApart(word, match),
  )
  const typed = [...Map.groupBy(accepted, ({ word }) => word).values()]
    .map((group) => ({ group, videosCount: countOf(group) }))
    .sort((a, b) => a.videosCount - b.videosCount)
  const plan: SearchPlan = { terms: [], sought: [], common: [] }
  const overflow: WordMatch[] = []
  let found = 0
  for (const { group, videosCount } of typed) {
    // the word itself before what else it may stand for, and of that the rarest first
    const byWorth = group.toSorted((a, b) => worth[b.kind] - worth[a.kind] || a.videosCount - b.videosCount)
    for (const match of byWorth) {
      if (found + match.videosCount > videosBudget) {
        overflow.push(match)
        continue
      }
      plan.sought.push(match.match)
      found += match.videosCount
    }
    for (const [kind, ofKind] of Map.groupBy(group, (match) => match.kind)) {
      const weight = worth[kind] / (1 + Math.log(Math.max(1, videosCount)))
      const areBeginnings = kind === 'beginning'
      const words = ofKind.map(({ word, match }) => (areBeginnings ? word : match))
      plan.terms.push({ words: [...new Set(words)], areBeginnings, weight })
    }
  }
  if (found < plenty) plan.common = commonOf(overflow)
  return plan
}

/** The words themselves; what else they may stand for only where nothing else is there. */
function commonOf(matches: WordMatch[]): string[] {
  const exact = matches.filter(({ kind }) => kind === 'exact')
  return (exact.length > 0 ? exact : matches).map(({ match }) => match)
}

/** How common a typed word is: as often as it occurs itself, or what it may stand for where it never does. */
function countOf(group: WordMatch[]): number {
  const exact = group.find(({ kind }) => kind === 'exact')
  return exact?.videosCount ?? group.reduce((sum, { videosCount }) => sum + videosCount, 0)
}

/** Whether two words differ by one letter too many, too few or wrong, or by two neighbours that changed places. */
export function isOneMistakeApart(a: string, b: string): boolean {
  const [short, long] = [Array.from(a), Array.from(b)].sort((x, y) => x.length - y.length)
  if (!short || !long || long.length - short.length > 1) return false
  const at = short.findIndex((letter, index) => letter !== long[index])
  if (at < 0) return true
  const isRest = (fromShort: number, fromLong: number) =>
    short.slice(fromShort).join('') === long.slice(fromLong).join('')
  if (short.length < long.length) return isRest(at, at + 1)
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at] && isRest(at + 2, at + 2)
  return isSwapped || isRest(at + 1, at + 1)
}

/** The position after one row of search results. */
export interface SearchCursor {
  score: number
  at: string
  id: string
}

export function encodeSearchCursor({ score, at, id }: SearchCursor): string {
  return Buffer.from(`${score}|${at}|${id}`).toString('base64url')
}

const cursorPattern = /^(\d{1,12})\|(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|([\w-]{1,64})$/

/** Unpacks a cursor; undefined stays undefined. Throws `invalid` for one that is none of ours. */
export function decodeSearchCursor(text: string | undefined): SearchCursor | undefined {
  if (text === undefined) return undefined
  const [, score, at = '', id = ''] = cursorPattern.exec(Buffer.from(text, 'base64url').toString()) ?? []
  const time = Date.parse(at)
  if (!score || Number.isNaN(time) || new Date(time).toISOString() !== at || at.startsWith('0000')) {
    throw new AppError('invalid', 'The cursor is not one of ours', {
      errors: [{ path: 'cursor', message: 'The cursor is not one of ours' }],
    })
  }
  return { score: Number(score), at, id }
}

const searchPath = `${apiPrefix}/video/search`

/**
 * Makes an address of the search routable whatever was put behind it as text: nothing, slashes, or percent signs and
 * bytes that are no encoding of anything. Any other address stays as it is.
 */
export function mendSearchUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2)
  if (path !== searchPath && !path.startsWith(`${searchPath}/`)) return url
  const bytes = path
    .slice(searchPath.length + 1)
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const term = Buffer.from(bytes, 'latin1').toString('utf8') || ' '
  return `${searchPath}/${encodeURIComponent(term)}${query === undefined ? '' : `?${query}`}`
}
