import { expect, test } from 'vitest'
import { findPasswordWeakness } from './password-weakness.ts'

const known = { words: ['ines', 'Harbour TV', 'x'], common: new Set(['sunshine', 'qwertyuiop', 'password1']) }

test.each(['sunshine', 'SunShine', 'Sunshine2024!', 'qwertyuiop', 'Password1'])('%s is common', (password) =>
  expect(findPasswordWeakness(password, known)).toBe('common'),
)

test.each(['ines1234', '2Ines2ines', 'harbour tv 1'])('%s is hardly more than a name', (password) =>
  expect(findPasswordWeakness(password, known)).toBe('ofOwner'),
)

test.each(['aaaaaaaa', 'abcabcabc', '12341234'])('%s repeats a few characters', (password) =>
  expect(findPasswordWeakness(password, known)).toBe('repeats'),
)

test.each(['linocut-heron', 'ines-linocut-heron', 'my sunshine is grey', 'xxlinocut', ''])(
  'nothing is known against "%s"',
  (password) => expect(findPasswordWeakness(password, known)).toBeUndefined(),
)
