import { describe, expect, it } from 'vitest'
import { detailsError, passwordError, pictureError } from './rules.ts'

describe('account details', () => {
  it('require at least one of the two', () => {
    expect(detailsError({ fullname: '', email: ' ' })).toBe('Please enter email or fullname to edit!')
    expect(detailsError({ fullname: 'Ines Falk', email: '' })).toBeUndefined()
    expect(detailsError({ fullname: '', email: 'a@b' })).toBeUndefined()
  })

  it.each(['a b@c', 'abc', '@', 'a@'])('reject %j as an email', (email) => {
    expect(detailsError({ fullname: 'Ines Falk', email })).toBe('Invalid email address')
  })
})

describe('a password change', () => {
  const good = {
    username: 'ines',
    oldPassword: 'old secret',
    newPassword: 'new secret',
    repeated: 'new secret',
  }

  it('is valid if the new password differs and is repeated', () => {
    expect(passwordError(good)).toBeUndefined()
  })

  it.each([
    [
      { ...good, username: 'Test', oldPassword: '', newPassword: '' },
      'You cannot change the password to test accounts!',
    ],
    [
      { ...good, oldPassword: '', newPassword: '', repeated: 'x' },
      'Please enter passwords in order to save!',
    ],
    [{ ...good, newPassword: 'old secret', repeated: 'x' }, 'Please select a new password!'],
    [{ ...good, repeated: 'New secret' }, "Password's dont match!"],
    [{ ...good, newPassword: 'short', repeated: 'other' }, "Password's dont match!"],
    [{ ...good, newPassword: 'seven c', repeated: 'seven c' }, 'Password must have at least 8 characters'],
  ])('is refused by the first check that fails', (form, message) => {
    expect(passwordError(form)).toBe(message)
  })

  it('with an empty field is validated by the server', () => {
    expect(passwordError({ ...good, oldPassword: '' })).toBeUndefined()
    expect(passwordError({ ...good, newPassword: '', repeated: '' })).toBeUndefined()
  })
})

it('a picture is required and has to be an image', () => {
  expect(pictureError(undefined)).toBe('Please upload a file first!')
  expect(pictureError(new File(['x'], 'a.txt', { type: 'text/plain' }))).toBe('Please upload a file first!')
  expect(pictureError(new File(['x'], 'a.webp', { type: 'image/webp' }))).toBeUndefined()
  expect(pictureError(new File(['x'], 'a.JPG', { type: 'image/JPEG' }))).toBeUndefined()
})

it('rejects a picture in another format with a list of accepted formats', () => {
  for (const type of ['image/svg+xml', 'image/bmp', 'image/heic', 'image/tiff']) {
    expect(pictureError(new File(['x'], 'a', { type }))).toBe(
      'Choose a JPEG, PNG, WebP, GIF or AVIF picture.',
    )
  }
})
