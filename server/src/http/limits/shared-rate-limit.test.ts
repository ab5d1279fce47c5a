import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../app/create-context.ts'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { deleteEndedWindows, SharedRateLimit } from '@kinora/platform/http/limits/shared-rate-limit.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const isTaken = (limit: SharedRateLimit, db: TestApp['db'], key: string) =>
  limit.assertAllowed(db, key).then(
    () => true,
    () => false,
  )

test('counts concurrent calls of all processes together', async () => {
  const other = await createContext(site.context.config, site.databaseUrl, 'web')
  onTestFinished(() => other.close())
  const [here, there] = [0, 1].map(
    () => new SharedRateLimit('together', 10, 60, site.clock, site.context.secret),
  )
  const asked = Array.from({ length: 50 }, (_, turn) =>
    turn % 2 === 0
      ? isTaken(here as SharedRateLimit, site.db, 'key')
      : isTaken(there as SharedRateLimit, other.db, 'key'),
  )
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(10)
})

test('resets at the end of the window and returns the time of it', async () => {
  const limit = new SharedRateLimit('window', 1, 60, site.clock, site.context.secret)
  await limit.assertAllowed(site.db, 'key')
  site.clock.advance(20_000)
  await expect(limit.assertAllowed(site.db, 'key')).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfterSeconds: 40,
  })
  expect(await isTaken(limit, site.db, 'other key')).toBe(true)
  site.clock.advance(40_000)
  expect(await isTaken(limit, site.db, 'key')).toBe(true)
  expect(await isTaken(limit, site.db, 'key')).toBe(false)
})

test('ignores a window that a wrong clock began in the future', async () => {
  const limit = new SharedRateLimit('wrong clock', 1, 60, site.clock, site.context.secret)
  const now = site.clock.now()
  site.clock.advance(365 * 24 * 3600 * 1000)
  await limit.assertAllowed(site.db, 'key')
  site.clock.set(now)
  expect(await isTaken(limit, site.db, 'key')).toBe(true)
})

test('releases one call, or all', async () => {
  const limit = new SharedRateLimit('back', 2, 60, site.clock, site.context.secret)
  await limit.assertAllowed(site.db, 'key')
  await limit.assertAllowed(site.db, 'key')
  await limit.giveBack(site.db, 'key')
  expect(await isTaken(limit, site.db, 'key')).toBe(true)
  expect(await isTaken(limit, site.db, 'key')).toBe(false)
  await limit.reset(site.db, 'key')
  expect(await isTaken(limit, site.db, 'key')).toBe(true)
})

test('deletes only ended windows', async () => {
  await site.db.deleteFrom('rateLimits').execute()
  await new SharedRateLimit('short', 1, 10, site.clock, site.context.secret).assertAllowed(site.db, 'key')
  await new SharedRateLimit('long', 1, 1000, site.clock, site.context.secret).assertAllowed(site.db, 'key')
  site.clock.advance(10_000)
  await deleteEndedWindows(site.db, site.clock.now())
  const rows = await site.db.selectFrom('rateLimits').select('key').execute()
  expect(rows).toEqual([{ key: expect.stringMatching(/^long [\w-]{43}$/) }])
})
