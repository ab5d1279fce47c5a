import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { newSecret, stepOf } from './rules.ts'

const secret = newSecret()
const now = new Date('2026-05-03T20:10:00Z')
const step = now.getTime() / 30_000
/** The code of an app whose clock differs by so many steps. */
const codeAt = (steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret), period: 30 }).generate({ timestamp: (step + steps) * 30_000 })

test.each([-1, 0, 1])('returns the step of a code by a clock that differs by %i steps', (steps) => {
  expect(stepOf(secret, codeAt(steps), now)).toBe(step + steps)
})

test.each([-2, 2])('refuses a code by a clock that differs by %i steps', (steps) => {
  expect(stepOf(secret, codeAt(steps), now)).toBeUndefined()
})
