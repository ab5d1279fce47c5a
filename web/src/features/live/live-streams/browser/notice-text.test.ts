import { expect, test } from 'vitest'
import { describeConnection } from './notice-text.ts'

test.each([
  [{ waitingSeconds: 7.6, interruption: undefined }, /^Your connection is slow: 8 s wait/],
  [{ waitingSeconds: 7.6, interruption: 'connection' }, /^Connection lost. 8 s wait/],
  [{ waitingSeconds: 0, interruption: 'sign_in' }, /^You are signed out/],
] as const)('describes the connection of a broadcast: %o', (state, text) => {
  expect(describeConnection(state)).toMatch(text)
})

test('says nothing of a connection that keeps up', () => {
  expect(describeConnection({ waitingSeconds: 2.1, interruption: undefined })).toBe(undefined)
})
