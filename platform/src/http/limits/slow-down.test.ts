import { expect, test } from 'vitest'
import { SlowDown } from './slow-down.ts'

test('allows the rate of a minute immediately, delays further calls and rejects long waits', async () => {
  const limit = new SlowDown({ perMinute: 600, maxWaitMs: 500 })
  const beganAt = performance.now()
  await Promise.all(Array.from({ length: 600 }, () => limit.pass('key')))
  const slowed = Array.from({ length: 20 }, () => limit.pass('key'))
  const outcomes = await Promise.allSettled(slowed)
  expect(performance.now() - beganAt).toBeGreaterThan(90)
  const refusals = outcomes.filter(({ status }) => status === 'rejected')
  expect(refusals.length).toBeGreaterThan(0)
  expect(refusals.length).toBeLessThan(20)
  expect(refusals[0]).toMatchObject({ reason: { code: 'too_many_requests' } })
  await limit.pass('another key')
})
