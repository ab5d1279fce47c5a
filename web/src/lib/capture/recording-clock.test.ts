import { expect, test } from 'vitest'
import { RecordingClock } from './recording-clock.ts'

test('counts the time without pauses', () => {
  const clock = new RecordingClock()
  clock.start(1000)
  clock.tick(2000)
  clock.pause(2500)
  expect(clock.isRunning).toBe(false)
  clock.tick(60_000)
  clock.start(61_000)
  clock.tick(61_500)
  expect(clock.positionMs).toBe(2000)
})

test('leaves out the time that the computer slept', () => {
  const clock = new RecordingClock()
  clock.start(0)
  expect(clock.tick(1000)).toBe(false)
  expect(clock.tick(3_600_000)).toBe(true)
  clock.tick(3_600_500)
  expect(clock.positionMs).toBe(1500)
})

test('stands still while the clock of the computer is set back', () => {
  const clock = new RecordingClock()
  clock.start(10_000)
  clock.tick(11_000)
  clock.tick(5000)
  clock.tick(5500)
  expect(clock.positionMs).toBe(1500)
})
