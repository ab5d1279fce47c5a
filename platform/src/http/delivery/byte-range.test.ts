import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowsPart, parseRange } from './byte-range.ts'
import { matchesEtag, meetsIfMatch } from './content-negotiation.ts'

test.each([
  ['bytes=0-99', { kind: 'part', start: 0, end: 99 }],
  ['BYTES=0-99', { kind: 'part', start: 0, end: 99 }],
  ['bytes=990-', { kind: 'part', start: 990, end: 999 }],
  ['bytes=990-5000', { kind: 'part', start: 990, end: 999 }],
  ['bytes=-10', { kind: 'part', start: 990, end: 999 }],
  ['bytes=-5000', { kind: 'part', start: 0, end: 999 }],
  ['bytes=1000-', { kind: 'unsatisfiable' }],
  ['bytes=-0', { kind: 'unsatisfiable' }],
  ['bytes=5-2', { kind: 'whole' }],
  ['bytes=0-1,5-6', { kind: 'whole' }],
  ['lines=0-1', { kind: 'whole' }],
  ['bytes=-', { kind: 'whole' }],
  [undefined, { kind: 'whole' }],
])('%s of 1000 bytes', (header, range) => {
  expect(parseRange(header, 1000)).toEqual(range)
})

const sizes = fc.nat({ max: 2 ** 40 })

test('returns only ranges within the object', () => {
  const asked = fc.oneof(
    fc.string(),
    fc.stringMatching(/^bytes=[\d, -]{0,40}$/),
    fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
  )
  fc.assert(
    fc.property(asked, sizes, (header, sizeBytes) => {
      const range = parseRange(header, sizeBytes)
      if (range.kind !== 'part') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.start).toBeLessThanOrEqual(range.end)
      expect(range.end).toBeLessThan(sizeBytes)
    }),
  )
})

test('returns a range of the object as requested', () => {
  fc.assert(
    fc.property(sizes, sizes, fc.integer({ min: 1, max: 2 ** 20 }), (a, b, more) => {
      const [start, end] = a < b ? [a, b] : [b, a]
      const part = { kind: 'part', start, end }
      expect(parseRange(`bytes=${start}-${end}`, end + more)).toEqual(part)
      expect(parseRange(`bytes=${start}-`, end + 1)).toEqual(part)
      expect(parseRange(`bytes=-${end + 1 - start}`, end + 1)).toEqual(part)
    }),
  )
})

test('compares ETags', () => {
  expect(matchesEtag('"a", W/"b"', '"b"')).toBe(true)
  expect(matchesEtag('*', '"b"')).toBe(true)
  expect(matchesEtag('"a"', '"b"')).toBe(false)
  expect(matchesEtag(undefined, '"b"')).toBe(false)
  expect(allowsPart('"a"', '"b"')).toBe(false)
  expect(allowsPart('"b"', '"b"')).toBe(true)
})

test.each([
  [undefined, '"a"', true],
  ['"a"', '"a"', true],
  ['"b", "a"', '"a"', true],
  ['*', '"a"', true],
  ['"b"', '"a"', false],
  ['W/"a"', 'W/"a"', false],
])('If-Match %s of %s', (header, etag, isMet) => {
  expect(meetsIfMatch(header, etag)).toBe(isMet)
})
