import type { WatchedWordsAction } from '@kinora/contract/constants.ts'

const MENTION = /(?<![\p{L}\p{N}_@./-])@([A-Za-z0-9]+)(?![\p{L}\p{N}_@])/gu

/** Most people that one comment notifies. */
const maxMentions = 10

/** The @names of a text, in lower case. */
export function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(MENTION)].map(([, name = '']) => name.toLowerCase())
  return [...new Set(names)].slice(0, maxMentions)
}

export interface WatchedWordsRule {
  watchedWords: string
  watchedWordsAction: WatchedWordsAction
}

/** What is known about an author when a comment arrives. */
export interface CommentStanding {
  /** Comments of the video's owner and of moderators are not checked. */
  isTrusted: boolean
  /** Whether a comment of the author has been published. */
  hasPublished: boolean
  /** Whether one with a link has been. */
  hasPublishedLink: boolean
}

/** An address, as a regular expression of JavaScript and of PostgreSQL alike. */
export const linkPattern = String.raw`(https?://|www\.)[^\s]|[a-z0-9-]+\.(com|net|org|info|biz|shop|xyz|ru|cn|io|co|top)([^a-z0-9]|$)`

const link = new RegExp(linkPattern, 'i')

const hasLink = (content: string) => link.test(content)

/** Text as words are compared: without regard to case, compatibility forms and invisible characters. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()

/** Whether a text has one of the watched words, as a whole word where the word begins or ends with a letter. */
function hasWatchedWord(content: string, watchedWords: string): boolean {
  const text = folded(content)
  const words = folded(watchedWords)
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  return words.some((word) => {
    for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + 1)) {
      const [before = '', after = ''] = [text[start - 1], text[start + word.length]]
      if (!isLetter(before) && !isLetter(after)) return true
    }
    return false
  })
}

const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character)

/** Decides whether a comment is published, waits for the owner of the video, or is refused. */
export function moderate(
  content: string,
  standing: CommentStanding,
  site: WatchedWordsRule & { holdFirstComments: boolean; holdFirstLinks: boolean },
  channel: WatchedWordsRule | undefined,
): 'publish' | WatchedWordsAction {
  if (standing.isTrusted) return 'publish'
  const actions = [site, ...(channel ? [channel] : [])]
    .filter(({ watchedWords }) => hasWatchedWord(content, watchedWords))
    .map(({ watchedWordsAction }) => watchedWordsAction)
  if (actions.includes('refuse')) return 'refuse'
  const isFirst = site.holdFirstComments && !standing.hasPublished
  const isFirstLink = site.holdFirstLinks && !standing.hasPublishedLink && hasLink(content)
  return actions.length > 0 || isFirst || isFirstLink ? 'hold' : 'publish'
}
