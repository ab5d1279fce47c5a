import { expect, it } from 'vitest'
import { fileOf, textOf } from './form-fields.ts'

const fields = new FormData()
fields.append('title', ' A plane ')
fields.append('picked', new File(['v'], 'clip.mp4'))
fields.append('unpicked', new File([], ''))

it('a text is taken as it was typed, and what is no text as empty', () => {
  expect(['title', 'missing', 'picked'].map((name) => textOf(fields, name))).toEqual([' A plane ', '', ''])
})

it('a file is one only where somebody picked it', () => {
  const names = ['picked', 'unpicked', 'title', 'missing']
  expect(names.map((name) => fileOf(fields, name)?.name)).toEqual([
    'clip.mp4',
    undefined,
    undefined,
    undefined,
  ])
})
