import { expect, test } from 'vitest'
import { refusalOf, slowModeWait } from './rules.ts'

const chat = {
  isOpen: true,
  writers: 'everybody',
  mayModerate: false,
  isSubscribed: false,
  isBlocked: false,
} as const

test('says why somebody cannot write', () => {
  expect(refusalOf(chat, true)).toBe(null)
  expect(refusalOf(chat, false)).toBe('signed_out')
  expect(refusalOf({ ...chat, isOpen: false, mayModerate: true }, true)).toBe('closed')
  expect(refusalOf({ ...chat, writers: 'subscribers' }, true)).toBe('subscribers')
  expect(refusalOf({ ...chat, writers: 'subscribers', isSubscribed: true }, true)).toBe(null)
  expect(refusalOf({ ...chat, writers: 'nobody', isSubscribed: true }, true)).toBe('nobody')
  expect(refusalOf({ ...chat, writers: 'nobody', mayModerate: true }, true)).toBe(null)
  expect(refusalOf({ ...chat, isBlocked: true }, true)).toBe('blocked')
})

test('has people wait in slow mode, but not those who moderate', () => {
  const slow = { slowSeconds: 10, mayModerate: false }
  expect(slowModeWait(slow, 4000)).toBe(6000)
  expect(slowModeWait(slow, 10_000)).toBe(0)
  expect(slowModeWait(slow, null)).toBe(0)
  expect(slowModeWait({ ...slow, mayModerate: true }, 1)).toBe(0)
})
