import { expect, it } from 'vitest'
import { titleOf } from './title-of.ts'

it.each([
  ['salt_flats at noon.mp4', 'salt flats at noon'],
  ['Interview 2.5.final.MOV', 'Interview 2.5.final'],
  ['.mp4', 'Untitled'],
  ['glacier', 'glacier'],
])('the title of %s is %s', (fileName, title) => {
  expect(titleOf(fileName, 200)).toBe(title)
})

it('a title is not longer than the limit', () => {
  expect(titleOf(`${'😀'.repeat(300)}.mp4`, 200)).toBe('😀'.repeat(200))
})
