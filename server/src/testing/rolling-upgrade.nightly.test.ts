import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { signUp } from './fixtures/test-users.ts'
import { addVideo } from './fixtures/test-videos.ts'

let site: TestApp
beforeAll(async () => {
  // few connections, so that statements prepared before the migration run after it
  site = await createTestApp({ settings: { DATABASE_POOL_MAX: '2' } })
})
afterAll(() => site.close())

/** Actions of users that touch every table. */
async function useEverything(): Promise<number[]> {
  const { client, user } = await signUp(site)
  const id = await addVideo(site, user._id, { title: 'Rolling' })
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
