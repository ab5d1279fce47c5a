import { expect, test } from 'vitest'
import { mentionsIn } from './rules.ts'

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
