import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { prepareVideo } from './actions/prepare-video.ts'
import { playbackJobs, prepare } from './jobs.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

test('the first upload of an account is prepared before many uploads of another', async () => {
  const [busy, other] = [await signUp(site), await signUp(site)]
  const ids: string[] = []
  for (let upload = 0; upload < 5; upload += 1) ids.push(await addVideo(site, busy.user._id))
  const late = await addVideo(site, other.user._id)
  for (const id of [...ids, late]) await prepareVideo(site.context, id)
  const { rows } = await sql<{ videoId: string; groupId: string }>`
    select data->>'videoId' as video_id, group_id from pgboss.job where name = ${prepare.name}
    order by priority desc, created_on`.execute(site.db)
  expect(rows.map(({ videoId }) => videoId)).toEqual([ids[0], late, ...ids.slice(1)])
  expect(new Set(rows.map(({ groupId }) => groupId))).toEqual(new Set([busy.user._id, other.user._id]))
  await sql`delete from pgboss.job where name = ${prepare.name}`.execute(site.db)
})

test('beyond the daily limit of an account only the beginning of a video is prepared', async () => {
  const { id } = await publishSource(site, 'costly.mp4', `-an ${h264}`, '64x36')
  await sql`update videos set width = 8192, height = 4352, duration_seconds = 43200 where id = ${id}`.execute(
    site.db,
  )
  await prepareVideo(site.context, id)
  await site.context.jobs.work(
    playbackJobs.filter(({ name }) => name === prepare.name),
    site.context,
  )
  await expect.poll(async () => (await getVideo(site.db, id)).processing.state).toBe('ready')
  const { rows } = await sql`select from pgboss.job where name = 'playback.make_run'`.execute(site.db)
  expect(rows).toEqual([])
})
