import { listAuditLog } from '@kinora/contract/operations/administration.ts'
import { freeSpace, getStorageUse } from '@kinora/contract/operations/storage.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { newId } from '@kinora/platform/ids.ts'
import { sweepAccountExports } from '../../portability/account-exports/jobs.ts'
import { sweepPictures } from '../../pictures/jobs.ts'
import { evict } from '../../videos/playback/actions/cache-budget.ts'
import { sweepUnfinished } from '../../videos/uploads/jobs.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { measureDatabase } from './queries.ts'

test('sizes come from the database and a job, which evicts what the cache holds above its limit', async () => {
  const site = await createTestApp({ worker: true, settings: { CACHE_MAX_BYTES: '1500' } })
  onTestFinished(() => site.close())
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const [small, large] = [await addVideo(site, user._id), await addVideo(site, user._id)]
  await site.db.updateTable('videos').set({ sizeBytes: 10 }).where('id', '=', small).execute()
  await site.db.updateTable('videos').set({ sizeBytes: 500 }).where('id', '=', large).execute()
  await site.storage.put('segments/gone/1/240/0.m4s', Buffer.alloc(1000))
  await site.storage.put(`segments/${small}/1/240/0.m4s`, Buffer.alloc(1000))

  expect(await client.call(getStorageUse, {})).toMatchObject({
    sourceBytes: 510,
    measurement: null,
    isMeasuring: false,
    isInBucket: false,
    cacheMaxBytes: 1500,
    largest: [
      { _id: large, owner: user.username, bytes: 500 },
      { _id: small, bytes: 10 },
    ],
  })
  await addTestCaptions(site, small)
  await sql`analyze`.execute(site.db)
  const exact = await measureDatabase(site.db)
  expect(exact).not.toHaveProperty('isEstimated')
  expect(exact.captionsBytes).toBeGreaterThan(40)
  expect(await measureDatabase(site.db, 1)).toMatchObject({
    sourceBytes: 510,
    captionsBytes: exact.captionsBytes,
    isEstimated: true,
  })
  await Promise.all([1, 2, 3].map(() => client.call(freeSpace, {})))
  const measurement = async () => (await client.call(getStorageUse, {})).measurement
  await expect.poll(measurement, { timeout: 60_000 }).toMatchObject({ segmentBytes: 1000 })
  expect((await measurement())?.pictureBytes).toBeGreaterThan(0)
  const { entries } = await client.call(listAuditLog, { query: { text: 'free_space' } })
  expect(entries[0]).toMatchObject({ actor: user.username, subject: 'cache' })
})

test('sweeps leave what other programs have in the same bucket', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const foreign = [
    'check/list.txt',
    'exports/2026/backup.zip',
    'exports/report.csv',
    'exports/report.zip',
    'pictures/album/tree.png',
    'segments/maps/north.bin',
    'unfinished/notes/today.txt',
  ]
  const left = [
    `check/${newId()}`,
    `exports/${newId()}.zip`,
    'segments/gone/1/240/0.m4s',
    `unfinished/${newId()}/${newId()}`,
  ]
  for (const key of [...foreign, ...left]) await site.storage.put(key, Buffer.from('content'))
  const { signal } = new AbortController()
  for (const job of [sweepAccountExports, sweepPictures, sweepUnfinished])
    await job.handle({}, site.context, signal)
  await evict(site.context, 1000, signal)
  const keys: string[] = []
  for await (const { key } of site.storage.list('')) keys.push(key)
  expect(keys.filter((key) => [...foreign, ...left].includes(key))).toEqual(foreign)
  const { rows } =
    await sql`select data->>'id' as id from pgboss.job where name = 'pictures.delete_files'`.execute(site.db)
  expect(rows).toEqual([])
})
