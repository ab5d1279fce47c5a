import { expect, test } from 'vitest'
import { newestFirst } from './newest-first.ts'

const at = (createdAt: string, name: string) => ({ createdAt, name })
const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)

test('sorts by createdAt, newest first, in any time zone', () => {
  const items = [
    at('2026-03-01T12:00:00.000Z', 'old'),
    at('2026-03-01T12:00:00.000-02:00', 'new'),
    at('2026-03-01T12:30:00.000Z', 'middle'),
  ]
  expect(namesOf(newestFirst(items))).toEqual(['new', 'middle', 'old'])
})

test('keeps the order of equal dates, and puts invalid ones last', () => {
  const items = [
    at('soon', 'a'),
    at('', 'b'),
    at('2026-03-01T12:00:00Z', 'c'),
    at('2026-03-01T12:00:00Z', 'd'),
  ]
  expect(namesOf(newestFirst(items))).toEqual(['c', 'd', 'a', 'b'])
})
