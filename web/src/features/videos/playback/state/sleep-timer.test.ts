import { expect, it } from 'vitest'
import { sleepFromStored } from './sleep-timer.ts'

it('sleepFromStored returns a timer that has not expired', () => {
  expect(sleepFromStored('15 1000', 999)).toEqual({ minutes: 15, atMs: 1000 })
  expect(sleepFromStored('15 1000', 1000)).toBe(undefined)
  expect(sleepFromStored('end-of-video', 0)).toBe('end-of-video')
})

it.each([null, '', '15', '15 x', '16 1000', '15 900001', '{}'])('sleepFromStored ignores %j', (stored) => {
  expect(sleepFromStored(stored, 0)).toBe(undefined)
})
