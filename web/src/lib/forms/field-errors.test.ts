import { ApiError } from '@kinora/contract/client.ts'
import { expect, it } from 'vitest'
import { fieldErrors, formError } from './field-errors.ts'

const cause = { reason: 'invalid', params: {} }
const wrong = new ApiError(400, 'The current password is wrong', {
  errors: [{ path: 'password', message: 'The current password is wrong', ...cause }],
})

it('names the fields that a call refused', () => {
  expect(fieldErrors(wrong)).toEqual({ password: 'The current password is wrong' })
  expect(fieldErrors(new Error('offline'))).toEqual({})
})

it('joins the messages of the entries and lines of a field', () => {
  const errors = [
    { path: 'tags.0', message: 'A tag is too long' },
    { path: 'title', message: 'A title is required' },
    { path: 'tags.2', message: 'A tag is too long' },
    { path: 'captions', message: 'Line 2 is wrong' },
    { path: 'captions', message: 'Line 5 is wrong' },
  ]
  expect(
    fieldErrors(new ApiError(400, 'Invalid', { errors: errors.map((error) => ({ ...error, ...cause })) })),
  ).toEqual({
    tags: 'A tag is too long',
    title: 'A title is required',
    captions: 'Line 2 is wrong\nLine 5 is wrong',
  })
})

it('keeps a message for the form that none of its fields shows', () => {
  expect(formError(wrong, ['password'])).toBeUndefined()
  expect(formError(wrong, ['url'])).toBe('The current password is wrong')
  expect(formError(new Error('offline'), ['password'])).toBe('Something went wrong')
  expect(formError(null, ['password'])).toBeUndefined()
})
