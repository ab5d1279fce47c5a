import { normalizeText } from '@kinora/contract/characters.ts'
import type { HeldBy, WatchedWordsAction } from '@kinora/contract/constants.ts'
import { timesIn } from '@kinora/contract/videos/chapters.ts'
import { LRUCache } from 'lru-cache'
import unhomoglyph from 'unhomoglyph'

const MENTION = /(?<![\p{L}\p{N}_@./-])@([A-Za-z0-9]+)(?![\p{L}\p{N}_@])/gu

/** Most people that one comment notifies. */
const maxMentions = 10

/** The @names of a text, in lower case. */
export function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(MENTION)].map(([, name = '']) => name.toLowerCase())
  return [...new Set(names)].slice(0, maxMentions)
}

/** Dates by times in seconds. */
export type TimeDates = Record<number, string>

/** A comment, as far as its times depend on it. */
export interface TimedText {
  content: string
  createdAt: Date
  editedAt: Date | null
  /** Dates of the times that the last edit kept. */
  timeDates: TimeDates | null
}

/** The date at which a time of a text was written. */
export const dateOfTime = ({ createdAt, editedAt, timeDates }: TimedText, seconds: number): Date =>
  new Date(timeDates?.[seconds] ?? editedAt ?? createdAt)

/** Dates of the times that an edit keeps; null if it keeps none. */
export function keptTimeDates(before: TimedText, content: string): TimeDates | null {
  const earlier = new Set(timesIn(before.content))
  const kept = timesIn(content).filter((seconds) => earlier.has(seconds))
  if (kept.length === 0) return null
  return Object.fromEntries(kept.map((seconds) => [seconds, dateOfTime(before, seconds).toISOString()]))
}

/** Dates of an archive that belong to times of the text; null without any. Dates after the present are left out. */
export function knownTimeDates(content: string, dates: Record<string, string>, now: Date): TimeDates | null {
  const known = timesIn(content).flatMap((seconds) => {
    const date = dates[seconds]
    return date !== undefined && new Date(date) <= now ? [[seconds, new Date(date).toISOString()]] : []
  })
  return known.length === 0 ? null : Object.fromEntries(known)
}

export interface WatchedWordsRule {
  watchedWords: string
  watchedWordsAction: WatchedWordsAction
}

/** Earlier comments of an author, as far as rules depend on them. */
export interface AuthorHistory {
  /** Comments of the video's owner and of moderators are not checked. */
  isTrusted: boolean
  /** Whether a comment of the author was published on a video of somebody else, and not only by the owner of another channel. */
  hasPublished: boolean
  /** Whether one with a link has been. */
  hasPublishedLink: boolean
}

/** Rules of the site. */
export type SiteModeration = WatchedWordsRule & { holdFirstComments: boolean; holdFirstLinks: boolean }

/** Rules of the owner of the video. `holdsAll` applies to comments of other people, moderators included. */
export type ChannelModeration = WatchedWordsRule & { holdsAll: boolean }

/** Text as words are compared: without regard to case, accents, compatibility forms, invisible characters and white space. */
const folded = (text: string) =>
  normalizeText(
    normalizeText(text, 'NFKD').replaceAll(/[\u0300-\u036f]|\p{Default_Ignorable_Code_Point}/gu, ''),
    'NFC',
  )
    .replaceAll(/\s+/gu, ' ')
    .toLowerCase()

/** ASCII stays as it is: in the table of Unicode `m` is confusable with `rn`, and a capital I with `l`. */
const withLatinLetters = (text: string) =>
  text.replaceAll(/[^\0-\x7f]/gu, (character) => {
    const latin = unhomoglyph(character)
    return latin === 'l' && /\p{Lu}/u.test(character) ? 'I' : latin
  })

/** Folded text with characters that look like Latin letters replaced by these (confusable characters, UTS 39). */
const latinized = (text: string) => folded(withLatinLetters(folded(withLatinLetters(text))))

/** An address, as a regular expression of JavaScript and of PostgreSQL alike. A name with a path is one in any domain. */
export const linkPattern = String.raw`(https?://|www\.)[^\s]|[a-z0-9]\.(com|net|org|info|biz|shop|xyz|ru|cn|io|co|top)([^a-z0-9]|$)|[a-z0-9]\.[a-z]{2,24}/[^\s]`

const link = new RegExp(linkPattern, 'i')

/** Whether a text has an address that people could follow or copy. */
export const hasLink = (content: string) => link.test(folded(content))

/** Whether a text has one of the watched words, or what looks like it: as a whole word, except in scripts that write words without spaces between them. */
function hasWatchedWord(content: string, watchedWords: string): boolean {
  if (watchedWords === '') return false
  return Object.entries(forms).some(([name, form]) => {
    const key = `${name} ${watchedWords}`
    const words = preparedWords.get(key) ?? prepareWords(watchedWords, form)
    preparedWords.set(key, words)
    return hasWordOf(form(content), words)
  })
}

const forms = { folded, latinized }

/** Words by their letters: the node of a word is reached letter by letter. */
interface WordNode {
  isWord: boolean
  next: Map<string, WordNode>
}

/** The latest lists, since preparing a long one takes longer than looking for its words. */
const preparedWords = new LRUCache<string, WordNode>({ max: 10 })

function prepareWords(watchedWords: string, form: (text: string) => string): WordNode {
  const root: WordNode = { isWord: false, next: new Map() }
  for (const word of watchedWords.split('\n').map((each) => form(each).trim())) {
    let node = root
    for (const letter of word) {
      const next = node.next.get(letter) ?? { isWord: false, next: new Map() }
      node.next.set(letter, next)
      node = next
    }
    node.isWord = word !== ''
  }
  return root
}

/** Follows the words from each place where one may begin: takes time for the longest word, not for the number of words. */
function hasWordOf(text: string, words: WordNode): boolean {
  for (let start = 0; start < text.length; start += 1) {
    if (!words.next.has(characterAt(text, start)) || isInsideWord(text, start)) continue
    let node: WordNode | undefined = words
    for (let end = start; node && end < text.length;) {
      const character = characterAt(text, end)
      node = node.next.get(character)
      end += character.length
      if (node?.isWord && !isInsideWord(text, end)) return true
    }
  }
  return false
}

const characterAt = (text: string, offset: number) => String.fromCodePoint(text.codePointAt(offset) ?? 0)

const letter = String.raw`[\p{L}\p{N}]`
// Korean has spaces, but endings follow a noun without one.
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`
const insideWord = new RegExp(`(?<=${letter})(?<!${unspaced})(?=${letter})(?!${unspaced})`, 'uy')

/** Whether an offset is between two letters of the same word. */
function isInsideWord(text: string, offset: number): boolean {
  insideWord.lastIndex = offset
  return insideWord.test(text)
}

/** The rule of the site that has a comment wait; null where the rules have changed since. */
export function ruleThatHolds(content: string, site: SiteModeration): HeldBy | null {
  if (hasWatchedWord(content, site.watchedWords)) return 'word'
  if (site.holdFirstLinks && hasLink(content)) return 'link'
  return site.holdFirstComments ? 'first' : null
}

/**
 * Decides whether a comment is published, waits for approval, or is refused. `holdForChannel` means that watched words of
 * the channel hold it. Only the owner of the video approves such a comment, and any comment where `holdsAll` is set.
 */
export function decideModeration(
  content: string,
  author: AuthorHistory,
  site: SiteModeration,
  channel: ChannelModeration,
): 'publish' | 'holdForChannel' | WatchedWordsAction {
  const unchecked = channel.holdsAll ? 'hold' : 'publish'
  if (author.isTrusted) return unchecked
  const [bySite, byChannel] = [site, channel].map(({ watchedWords, watchedWordsAction }) =>
    hasWatchedWord(content, watchedWords) ? watchedWordsAction : undefined,
  )
  if (bySite === 'refuse' || byChannel === 'refuse') return 'refuse'
  if (byChannel === 'hold') return 'holdForChannel'
  const isFirst = site.holdFirstComments && !author.hasPublished
  const isFirstLink = site.holdFirstLinks && !author.hasPublishedLink && hasLink(content)
  return bySite === 'hold' || isFirst || isFirstLink ? 'hold' : unchecked
}
