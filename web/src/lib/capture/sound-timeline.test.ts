import { expect, test } from 'vitest'
import { SoundTimeline } from './sound-timeline.ts'

const timelineAt = (frames: number) => Object.assign(new SoundTimeline(1000), { frames })

test('takes sound that is about where it belongs', () => {
  expect(timelineAt(5000).silenceBefore(40, 5040)).toBe(0)
  expect(timelineAt(5000).silenceBefore(40, 5140)).toBe(0)
  expect(timelineAt(5000).silenceBefore(40, 4940)).toBe(0)
})

test('fills what was not delivered with silence', () => {
  expect(timelineAt(5000).silenceBefore(40, 5540)).toBe(500)
})

test('leaves out sound of a device that is too fast', () => {
  expect(timelineAt(5000).silenceBefore(40, 4800)).toBeUndefined()
})

test('waits a second for sound', () => {
  expect(timelineAt(5000).silenceDue(5900)).toBe(0)
  expect(timelineAt(5000).silenceDue(6300)).toBe(300)
})
