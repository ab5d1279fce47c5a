import { deleteAccount } from '@kinora/contract/portability/account-deletion.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

/** Adds comments of an account to a video, every other one a reply. */
const addComments = (site: TestApp, videoId: string, authorId: string, count: number) =>
  sql`
    insert into comments (id, video_id, author_id, content, parent_id)
    select ${videoId} || n, ${videoId}, ${authorId}, 'Content', case when n % 2 = 0 then ${videoId} || (n - 1) end
    from generate_series(1, ${count}::int) n`.execute(site.db)

const countComments = async (site: TestApp) => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from comments`.execute(site.db)
  return rows[0]?.count
}

test('a video with very many comments is hidden at once, and deleted by a job', async () => {
  const site = await createTestApp({ worker: true })
  onTestFinished(() => site.close())
  const { client, user } = await signUp(site)
  const [large, other] = [await addVideo(site, user._id), await addVideo(site, user._id)]
  await addComments(site, large, user._id, 10_001)
  await addComments(site, other, user._id, 3)

  await client.call(deleteVideo, { params: { id: large } })
  expect((await site.client().get(`/api/v1/video/${large}`)).status).toBe(404)
  const isThere = async () =>
    (await site.db.selectFrom('videos').select('id').where('id', '=', large).execute()).length > 0
  await expect.poll(isThere, { timeout: 60_000 }).toBe(false)
  expect(await countComments(site)).toBe(3)
})

test('an account with very many comments is deleted', { tags: ['nightly'] }, async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const [leaving, staying] = [await signUp(site), await signUp(site)]
  const [own, other] = [await addVideo(site, leaving.user._id), await addVideo(site, staying.user._id)]
  await addComments(site, own, staying.user._id, 10_001)
  await addComments(site, other, leaving.user._id, 10_001)

  await leaving.client.call(deleteAccount, { body: { password: testPassword } })
  expect(await countComments(site)).toBe(0)
  expect((await staying.client.get(`/api/v1/video/${own}`)).status).toBe(404)
})
