import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addManyVideos } from '../../../testing/fixtures/test-videos.ts'
import { readChannelSums } from './actions/channel-sums.ts'

test('reads one large channel at a time for each page, for up to a minute, and small ones meanwhile', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const owners = await Promise.all([1, 2, 3].map(async () => (await signUp(site)).user._id))
  const [small = '', large = '', other = ''] = owners
  await addManyVideos(site, small, 10_000)
  for (const ownerId of [large, other]) await addManyVideos(site, ownerId, 10_001)
  const started: string[] = []
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const read = (ownerId: string, limit: Parameters<typeof readChannelSums>[2], until?: Promise<undefined>) =>
    readChannelSums(site.context, ownerId, limit, async (db) => {
      started.push(`${limit} of ${ownerId}`)
      const { rows } = await sql<{ statementTimeout: string }>`show statement_timeout`.execute(db)
      await until
      return rows[0]?.statementTimeout
    })
  const first = read(large, 'analytics', promise)
  await expect.poll(() => started).toHaveLength(1)
  const second = read(other, 'analytics')
  expect(await read(large, 'dashboards')).toBe('1min')
  expect(await read(small, 'analytics')).not.toBe('1min')
  expect(started).toEqual([`analytics of ${large}`, `dashboards of ${large}`, `analytics of ${small}`])
  resolve(undefined)
  expect(await Promise.all([first, second])).toEqual(['1min', '1min'])
})
