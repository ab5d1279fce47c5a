import { expect, it } from 'vitest'
import { fileOf, textOf } from './form-fields.ts'

const fields = new FormData()
fields.append('title', ' A plane ')
fields.append('picked', new File(['v'], 'clip.mp4'))
fields.append('unpicked', new File([], ''))

it('returns a text verbatim, and an empty string for other values', () => {
  expect(['title', 'missing', 'picked'].map((name) => textOf(fields, name))).toEqual([' A plane ', '', ''])
})

it('returns a file only if one was selected', () => {
  const names = ['picked', 'unpicked', 'title', 'missing']
  expect(names.map((name) => fileOf(fields, name)?.name)).toEqual([
    'clip.mp4',
    undefined,
    undefined,
    undefined,
  ])
})
