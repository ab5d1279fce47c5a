import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emailError, loginErrors, registrationErrors } from './rules.ts'

const picture = new File(['x'], 'me.png', { type: 'image/png' })
const whole = {
  fullname: 'Ines Falk',
  email: 'ines@falk.example',
  username: 'ines1',
  password: 'linocut-heron',
  avatar: picture,
  coverImage: undefined,
}

describe('emailError', () => {
  it.each(['a@b', 'ines+video@falk.example', 'ines@falk@example'])('accepts %s', (email) => {
    expect(emailError(email)).toBeUndefined()
  })

  it.each(['abc', 'a b@c', '@', 'a@', '@b'])('rejects %s', (email) => {
    expect(emailError(email)).toBe('Invalid email address')
  })

  it('accepts exactly: characters, an at sign, characters, without white space', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const trimmed = text.trim()
        const parts = !/\s/.test(trimmed) && trimmed.slice(1, -1).includes('@')
        expect(emailError(text) === undefined).toBe(parts)
      }),
    )
  })
})

describe('loginErrors', () => {
  it('requires both fields', () => {
    expect(Object.keys(loginErrors({ email: ' ', password: '' }))).toEqual(['email', 'password'])
    expect(loginErrors({ email: 'a@b', password: ' ' })).toEqual({})
  })
})

describe('registrationErrors', () => {
  it('accepts a complete form; the cover is optional', () => {
    expect(registrationErrors(whole)).toEqual({})
    expect(registrationErrors({ ...whole, coverImage: picture })).toEqual({})
  })

  it('requires all other fields', () => {
    const none = {
      fullname: '',
      email: '',
      username: '',
      password: '',
      avatar: undefined,
      coverImage: undefined,
    }
    expect(Object.keys(registrationErrors(none))).toEqual([
      'fullname',
      'email',
      'username',
      'password',
      'avatar',
    ])
  })

  it.each(['ines falk', 'ines_falk', 'ínes', 'ines!', '🎞'])('rejects the username %s', (username) => {
    expect(registrationErrors({ ...whole, username })).toEqual({
      username: 'Username can only contain letters and numbers',
    })
  })

  it('rejects a short password and files that are no pictures', () => {
    const text = new File(['x'], 'me.txt', { type: 'text/plain' })
    const errors = registrationErrors({ ...whole, password: '😀'.repeat(7), avatar: text, coverImage: text })
    expect(Object.keys(errors)).toEqual(['password', 'avatar', 'coverImage'])
  })
})
