import { maxChannelLinks } from '@kinora/contract/constants.ts'
import { expect, test } from 'vitest'
import { linksError, linksOf } from './links.ts'

test('addresses stand on lines of their own, with https where no scheme is given', () => {
  expect(linksOf(' example.com/a \n\nhttp://example.org\nmailto:a@example.org')).toEqual([
    'https://example.com/a',
    'http://example.org',
    'mailto:a@example.org',
  ])
})

test.each(['mailto:a@example.org', 'javascript:alert(1)', 'https://a b', 'https://'])(
  'rejects %s',
  (link) => {
    expect(linksError(['https://example.com', link])).toBe(`“${link}” is not the address of a website`)
  },
)

test('accepts as many links as a channel may have', () => {
  const links = Array.from({ length: maxChannelLinks }, (_, n) => `https://example.com/${n}`)
  expect(linksError(links)).toBeUndefined()
  expect(linksError([...links, 'https://example.com'])).toBe(`At most ${maxChannelLinks} links`)
})
