import { expect, it } from 'vitest'
import { themeFromStored } from './theme.ts'

it.each([
  ['dark', 'dark'],
  ['light', 'light'],
  [null, 'light'],
  ['', 'light'],
  ['Dark', 'light'],
  ['sepia', 'light'],
])('takes a stored %j as %s', (stored, mode) => {
  expect(themeFromStored(stored)).toBe(mode)
})
