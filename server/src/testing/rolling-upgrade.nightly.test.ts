import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { signUp } from './fixtures/test-users.ts'
import { hourMs } from '@kinora/platform/durations.ts'
import { addVideo } from './fixtures/test-videos.ts'

let site: TestApp
beforeAll(async () => {
  // few connections, so that statements prepared before the migration run after it
  site = await createTestApp({
    settings: { DATABASE_POOL_MAX: '2', LIVE: 'true', LIVE_ROLE: 'member' },
  })
})
afterAll(() => site.close())

/** Actions of users that touch every table. */
async function useEverything(): Promise<number[]> {
  const { client, user } = await signUp(site)
  const id = await addVideo(site, user._id, { title: 'Rolling', durationSeconds: 20 })
  const startsAt = new Date(site.clock.now().getTime() + hourMs).toISOString()
  const show = { title: 'Rolling', visibility: 'public', keepsRecording: true, startsAt }
  const responses = [
    await client.get('/api/v1/video/all'),
    await client.get(`/api/v1/video/${id}`),
    await client.patch(`/api/v1/video/${id}`),
    await client.get('/api/v1/video/search/rolling'),
    await client.post(`/api/v1/likes/video/toggle/${id}`),
    await client.post(`/api/v1/sub/channel/${user.username}`),
    await client.post('/api/v1/comment/add', { videoId: id, content: 'Still here' }),
    await client.get(`/api/v1/comment/get/${id}`),
    await client.patch(`/api/v1/users/updatehistory/${id}`),
    await client.put('/api/v1/studio/intros', { introId: id, outroId: null }),
    await client.post('/api/v1/clips', { videoId: id, title: 'Rolling', startSeconds: 1, endSeconds: 9 }),
    await client.get('/api/v1/studio/clips'),
    await client.post('/api/v1/studio/live/announced', show),
    await client.get('/api/v1/coming'),
    await client.get('/api/v1/users/watchhistory'),
    await client.get('/api/v1/users/dashboard'),
    await client.get('/readyz'),
    await client.delete(`/api/v1/video/${id}`),
  ]
  return responses.map(({ status }) => status)
}

test('a running process continues while a newer version migrates the database', async () => {
  const before = await useEverything()
  expect(before.filter((status) => status >= 400)).toEqual([])
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
    site.db,
  )
  // the largest change that one migration may make: a column for every table, and new tables
  for (const { name } of tables) {
    if (name !== 'migrations')
      await sql`alter table ${sql.table(name)} add column of_the_future text not null default 'x'`.execute(
        site.db,
      )
  }
  await sql`create table things_of_the_future (id text primary key)`.execute(site.db)
  await sql`insert into migrations (name) values ('9999-future.sql')`.execute(site.db)

  expect(await useEverything()).toEqual(before)
})
