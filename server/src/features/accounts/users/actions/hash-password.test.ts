import * as argon2 from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './hash-password.ts'

const passwordHashing = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const [composed, decomposed] = ['B\u00e4renh\u00f6hle 7', 'Ba\u0308renho\u0308hle 7']

test.each([
  [composed, decomposed],
  [decomposed, composed],
])('accepts %j and %j for each other', async (set, typed) => {
  const hash = await hashPassword({ passwordHashing }, set)
  expect(await verifyPassword(hash, typed)).toBe(true)
  expect(await verifyPassword(hash, set)).toBe(true)
  expect(await verifyPassword(hash, 'Barenhohle 7')).toBe(false)
})

test('accepts a password that was hashed as it was typed', async () => {
  const hash = await argon2.hash(decomposed, passwordHashing)
  expect(await verifyPassword(hash, decomposed)).toBe(true)
  expect(await verifyPassword(hash, composed)).toBe(false)
})
