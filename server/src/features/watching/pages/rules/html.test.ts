import { collapseWhiteSpace } from '@kinora/contract/characters.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoDuration } from './video-head.ts'
import { escapeMarkup, excerpt, jsonLd, tag, withHead } from './html.ts'
import { pageOf } from './page.ts'

const text = fc.string({ unit: 'binary' })

test('escapes text in attributes and data blocks', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(escapeMarkup(value)).not.toMatch(/[<>"']/)
      expect(tag('meta', { content: value }).match(/[<>]/g)).toHaveLength(2)
      const block = jsonLd({ value })
      expect(block.match(/[<>]/g)).toHaveLength(4)
      expect(JSON.parse(block.replace(/^[^{]*|<\/script>$/g, ''))).toEqual({ value })
    }),
  )
})

test('inserts a head once and verbatim in place of title and description', () => {
  const template =
    '<head><meta name="description" content="x" /><title>y</title><script src="/a.js"></script></head>'
  fc.assert(
    fc.property(text, (value) => {
      const html = withHead(template, `<title>${escapeMarkup(value)}</title>`)
      expect(html.match(/<title>/g)).toHaveLength(1)
      expect(html).toContain(`<title>${escapeMarkup(value)}</title>`)
      expect(html).not.toContain('description')
    }),
  )
})

test('shortens long texts and leaves short ones unchanged', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 300 }), (value, max) => {
      const short = excerpt(value, max)
      expect(short.length).toBeLessThanOrEqual(max)
      const line = value.replaceAll(/\s+/g, ' ').trim()
      expect(short === line || line.length > max).toBe(true)
    }),
  )
  expect(excerpt('one two three four', 10)).toBe('one two…')
})

test('parses the page of any address', () => {
  fc.assert(
    fc.property(fc.webPath(), (path) => {
      expect(pageOf(path).kind).toMatch(/^\w+$/)
    }),
  )
  fc.assert(
    fc.property(
      text.filter((term) => !term.includes('\0') && term.isWellFormed()),
      (typed) => {
        const term = collapseWhiteSpace(typed)
        const page = term === '' ? { kind: 'home' } : { kind: 'search', term }
        expect(pageOf(`/search/${encodeURIComponent(typed)}`)).toEqual(page)
      },
    ),
  )
})

test.each([
  [0, 'PT0S'],
  [59.9, 'PT59S'],
  [75, 'PT1M15S'],
  [3661.4, 'PT1H1M1S'],
  [36_000, 'PT10H0S'],
])('formats %d seconds as %s', (seconds, duration) => {
  expect(isoDuration(seconds)).toBe(duration)
})
