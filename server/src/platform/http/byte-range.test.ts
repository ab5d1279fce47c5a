import { expect, test } from 'vitest'
import { allowsPart, isUnchanged, parseRange } from './byte-range.ts'

test.each([
  ['bytes=0-99', { kind: 'part', start: 0, end: 99 }],
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
])('%s of 1000 bytes', (header, answer) => {
  expect(parseRange(header, 1000)).toEqual(answer)
})

test('compares tags', () => {
  expect(isUnchanged('"a", W/"b"', '"b"')).toBe(true)
  expect(isUnchanged('*', '"b"')).toBe(true)
  expect(isUnchanged('"a"', '"b"')).toBe(false)
  expect(isUnchanged(undefined, '"b"')).toBe(false)
  expect(allowsPart('"a"', '"b"')).toBe(false)
  expect(allowsPart('"b"', '"b"')).toBe(true)
})
