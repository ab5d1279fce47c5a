import { Client } from 'pg'
import { expect, test } from 'vitest'
import { addComment } from '@kinora/contract/conversation/comments.ts'
import { createTestApp } from './fixtures/test-app.ts'
import { signUp } from './fixtures/test-users.ts'
import { addVideo } from './fixtures/test-videos.ts'
import { packagedFile } from './servers/documented-blocks.ts'

test('history, positions and notifications work on tables that are partitioned by user', async () => {
  const site = await createTestApp()
  const database = new Client(site.databaseUrl)
  await database.connect()
  try {
    const [owner, viewer] = [await signUp(site), await signUp(site)]
    const [before, after] = [await addVideo(site, owner.user._id), await addVideo(site, owner.user._id)]
    const use = async (videoId: string) => {
      expect((await viewer.client.patch(`/api/v1/users/updatehistory/${videoId}`)).status).toBe(200)
      await viewer.client.call(addComment, { body: { videoId, content: 'Well done' } })
    }
    const unread = async () => (await owner.client.get('/api/v1/notifications')).body.data as unknown[]
    const history = async () => (await viewer.client.get('/api/v1/users/history')).body.data as unknown[]
    await use(before)
    expect([(await unread()).length, (await history()).length]).toEqual([1, 1])

    await database.query(`begin;\n${packagedFile('postgresql/partition-by-user.sql')}\ncommit`)

    await use(after)
    await use(after)
    expect([(await unread()).length, (await history()).length]).toEqual([3, 2])
    const { rows: counts } = await database.query(
      'select unread from unread_notifications where user_id = $1',
      [owner.user._id],
    )
    expect(counts).toEqual([{ unread: 3 }])
    const plan = await database.query(
      `explain (costs off) select from watch_history h join unread_notifications using (user_id) where user_id = '${viewer.user._id}'`,
    )
    const scanned = [...JSON.stringify(plan.rows).matchAll(/ sharded_(watch_history|unread)_(\d+)/g)]
    // Of each table the one partition that has the user, which has the same number in both.
    expect(new Set(scanned.map(([, table]) => table)).size).toBe(2)
    expect(new Set(scanned.map(([, , number]) => number)).size).toBe(1)
    expect((await owner.client.delete(`/api/v1/video/${before}`)).status).toBe(200)
    expect([(await unread()).length, (await history()).length]).toEqual([2, 1])
  } finally {
    await database.end()
    await site.close()
  }
})
