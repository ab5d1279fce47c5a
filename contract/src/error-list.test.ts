import { expect, test } from 'vitest'
import { allErrors } from './error-list.ts'
import { errors } from './errors.ts'
import { messageOf } from './failure.ts'
import { videoErrors } from './videos/errors.ts'

test('every error has a reason of its own', () => {
  const reasons = allErrors.map(({ reason }) => reason)
  expect(reasons.filter((reason, at) => reasons.indexOf(reason) !== at)).toEqual([])
  expect(reasons.filter((reason) => !/^[a-z]+(_[a-z]+)*$/.test(reason))).toEqual([])
})

test('messages show numbers with their units, and texts as they are', () => {
  expect(messageOf(errors.tooLong, { label: 'Title', limit: 5000 })).toBe(
    'Title may have at most 5,000 characters',
  )
  expect(messageOf(videoErrors.quotaVideos, { quotaVideos: 1, usedVideos: 3 })).toContain(
    'your quota of 1 video. You use 3 videos.',
  )
  const waits = [1, 60_000, 3_600_000, 3_600_001].map((waitMs) =>
    messageOf({ message: '{waitMs}, {ageDays}' }, { waitMs, ageDays: 1 }),
  )
  expect(waits).toEqual(['1 minute, 1 day', '1 minute, 1 day', '60 minutes, 1 day', '2 hours, 1 day'])
  const hostile = '{limit} $& <b>'
  expect(messageOf(errors.required, { label: hostile })).toBe(`${hostile} is required`)
})
