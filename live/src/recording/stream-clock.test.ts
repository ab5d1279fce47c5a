import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamEnded } from '../refusals.ts'
import { StreamClock } from './stream-clock.ts'

test('begins at zero and continues over the wrap of 32 bits', () => {
  const clock = new StreamClock()
  const wrap = 2 ** 32
  const times = [wrap - 80, wrap - 40, wrap, wrap + 40].map((time) => clock.map('video', time % wrap))
  expect(times).toEqual([0, 40, 80, 120])
})

test('keeps the distance of audio and video', () => {
  const clock = new StreamClock()
  expect([clock.map('video', 5000), clock.map('audio', 5021), clock.map('video', 5040)]).toEqual([0, 21, 40])
})

test('continues after a jump, together with the other track', () => {
  const clock = new StreamClock()
  clock.map('video', 0)
  clock.map('audio', 10)
  expect(clock.map('video', 3_600_000)).toBe(50)
  expect(clock.map('audio', 3_600_010)).toBe(60)
})

test('refuses a clock that jumps all the time', () => {
  const clock = new StreamClock()
  expect(() => {
    for (let i = 0; i < 200; i++) clock.map('video', (i % 2) * 1_000_000)
  }).toThrow(StreamEnded)
})

test('never goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xff_ff_ff_ff), { maxLength: 60 }), (times) => {
      const clock = new StreamClock()
      let last = 0
      try {
        for (const time of times) {
          const mapped = clock.map('video', time)
          expect(mapped).toBeGreaterThanOrEqual(last)
          last = mapped
        }
      } catch (error) {
        if (!(error instanceof StreamEnded)) throw error
      }
    }),
  )
})
