import { expect, test } from 'vitest'
import { decideModeration, hasLink, mentionsIn } from './rules.ts'

test.each([
  ['@Ines and @jonas, see (@Kai)!', ['ines', 'jonas', 'kai']],
  ['@ines @Ines', ['ines']],
  ['ines@example.org, a.@b, @under_score, @ space, @@twice', []],
  ['', []],
])('finds the @names of %j', (text, names) => {
  expect(mentionsIn(text)).toEqual(names)
})

test('finds at most ten @names', () => {
  expect(mentionsIn(Array.from({ length: 30 }, (_, n) => `@name${n}`).join(' '))).toHaveLength(10)
})

const author = { isTrusted: false, hasPublished: true, hasPublishedLink: true }
const decide = (content: string, watchedWords: string) =>
  decideModeration(
    content,
    author,
    { watchedWords, watchedWordsAction: 'hold', holdFirstComments: false, holdFirstLinks: false },
    { watchedWords: '', watchedWordsAction: 'hold', holdsAll: false },
  )

test.each([
  ['Buy cheap\n  watches', 'cheap watches'],
  ['Ca\u0301sino, casin\u00f3', 'casino'],
  ['CASINO', 'Casin\u00f3'],
  ['ca\u200bsi\u2060no', 'casino'],
  ['c\u0430s\u0456n\u043e', 'casino'],
  ['ϲаѕıո\u03bf now', 'casino'],
  ['САЅІΝΟ', 'casino'],
  ['c\u0430s\u0457no', 'casino'],
  ['в казино', 'казино'],
  ['来我们的赌博网站', '赌博'],
  ['온라인 도박은', '도박'],
  ['a $$$offer', '$$$'],
])('%j has the watched word %j', (content, words) => {
  expect(decide(content, words)).toBe('hold')
})

test.each([
  ['Casinos', 'casino'],
  ['\u{10400}casino', 'casino'],
  ['각', '가'],
  ['At the pom shop', 'porn'],
  ['anything', ' \n\u200b\n'],
])('%j does not have the watched word %j', (content, words) => {
  expect(decide(content, words)).toBe('publish')
})

test.each([
  [{ isTrusted: true }, 'nothing', 'hold'],
  [{ isTrusted: false }, 'nothing', 'hold'],
  [{ isTrusted: false }, 'casino', 'refuse'],
])(
  'where the channel holds all comments, an author with %j and the watched word %j gets %j',
  (trust, word, decision) => {
    const site = {
      watchedWords: word,
      watchedWordsAction: 'refuse',
      holdFirstComments: false,
      holdFirstLinks: false,
    } as const
    const channel = { watchedWords: '', watchedWordsAction: 'hold', holdsAll: true } as const
    expect(decideModeration('a casino', { ...author, ...trust }, site, channel)).toBe(decision)
  },
)

test('the longest comment is checked against the longest list of one word in little time', () => {
  const before = process.threadCpuUsage()
  decide('a'.repeat(10_000), 'a\n'.repeat(2500))
  decide('\u0430 '.repeat(5000), '\u0431\n'.repeat(2500))
  hasLink('a.'.repeat(5000))
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(1000)
})

test.each([
  'see https://example.org',
  'WWW.example.org',
  'watches.shop!',
  'bit.ly/3xYz',
  't.me/casino',
  'ｗａｔｃｈｅｓ．ｃｏｍ',
  'watches.c\u200bom',
])('%j has a link', (content) => {
  expect(hasLink(content)).toBe(true)
})

test.each(['Nice.', 'at 1:20, e.g. there', 'and/or', 'Wait...what', '24.5/30'])(
  '%j has no link',
  (content) => {
    expect(hasLink(content)).toBe(false)
  },
)
