import { expect, it } from 'vitest'
import { tagsIn } from './tags.ts'

it.each([
  ['Sea, #Salt flats , sea,,', ['sea', 'salt-flats']],
  ['海、山', ['海', '山']],
  ['  ', []],
])('reads the tags of %j', (text, tags) => {
  expect(tagsIn(text)).toEqual(tags)
})
