import type { DetailedOwnVideo } from '@kinora/contract/videos/studio.ts'
import { describe, expect, it } from 'vitest'
import { changedValues, savedValues } from './details-draft.ts'

const video = {
  title: 'Tide',
  description: 'Sand',
  tags: ['sea', 'north'],
  category: null,
  language: 'en',
  licence: null,
  visibility: 'public',
  publishAt: null,
  viewers: [],
  commentsAllowed: true,
  commentsHeld: false,
  downloadsAllowed: false,
} as Partial<DetailedOwnVideo> as DetailedOwnVideo

/** The form as it is shown, with changes; `undefined` is an unchecked box. */
function formWith(changes: Record<string, string | undefined>): FormData {
  const {
    publishAt: _,
    viewers: __,
    commentsHeld: ___,
    downloadsAllowed: ____,
    ...shown
  } = savedValues(video)
  const fields = new FormData()
  for (const [name, value] of Object.entries({ ...shown, ...changes }))
    if (value !== undefined) fields.set(name, value)
  return fields
}

describe('the draft of an edit form', () => {
  it('is empty while nothing differs from what is saved', () => {
    expect(changedValues(savedValues(video), formWith({}))).toEqual({})
  })

  it('has only the fields that differ, and boxes that were checked or unchecked', () => {
    const fields = formWith({ title: 'Tides', commentsAllowed: undefined, downloadsAllowed: 'on' })
    expect(changedValues(savedValues(video), fields)).toEqual({
      title: 'Tides',
      commentsAllowed: '',
      downloadsAllowed: 'on',
    })
  })

  it('has an emptied field', () => {
    expect(changedValues(savedValues(video), formWith({ tags: '' }))).toEqual({ tags: '' })
  })

  it('has the fields that another visibility shows', () => {
    const fields = formWith({ visibility: 'private', viewers: 'ines' })
    expect(changedValues(savedValues(video), fields)).toEqual({ visibility: 'private', viewers: 'ines' })
  })
})
