import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../testing/fixtures/test-app.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'
import { addManyVideos } from '../../testing/fixtures/test-videos.ts'
import { readChannelSums } from './actions/channel-sums.ts'

test('reads two large channels at a time, each for up to a minute, and small ones meanwhile', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const owners = await Promise.all([1, 2, 3, 4].map(async () => (await signUp(site)).user._id))
  const [small = '', ...large] = owners
  await addManyVideos(site, small, 10_000)
  for (const ownerId of large) await addManyVideos(site, ownerId, 10_001)
  const started: string[] = []
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const read = (ownerId: string) =>
    readChannelSums(site.db, ownerId, async (db) => {
      started.push(ownerId)
      const { rows } = await sql<{ statementTimeout: string }>`show statement_timeout`.execute(db)
      if (ownerId !== small) await promise
      return rows[0]?.statementTimeout
    })
  const reads = large.map(read)
  await expect.poll(() => started).toHaveLength(2)
  expect(await read(small)).not.toBe('1min')
  expect(started).toHaveLength(3)
  resolve(undefined)
  expect(await Promise.all(reads)).toEqual(['1min', '1min', '1min'])
  expect(new Set(started)).toEqual(new Set(owners))
})
