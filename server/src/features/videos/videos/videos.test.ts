import { addComment } from '@kinora/contract/conversation/comments.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { getDashboard } from '@kinora/contract/videos/studio.ts'
import {
  listChannelVideos,
  getVideo,
  listVideos,
  updateVideo,
  type Video,
} from '@kinora/contract/videos/videos.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '@kinora/platform/ids.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { untilWaitingForLock } from '../../../testing/waiting-for-lock.ts'
import { reconcileHiddenMarks, reinstate, takeDown } from './actions/hide-video.ts'
import { deleteVideoFiles } from './jobs.ts'
import { lockAnyVideo } from './queries/lock-videos.ts'
import { foldViews, insertViews } from './queries/views.ts'
import { hiddenKey } from '../../../context/storage-keys.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let stranger: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  stranger = await signUp(site)
})
afterAll(() => site.close())

const path = (id: string) => `/api/v1/video/${id}`
const viewsOf = async (id: string) =>
  (await site.client().call(getVideo, { params: { id } })).map((video) => video.views)[0]

async function isStored({ storage }: TestApp, key: string): Promise<boolean> {
  const found = await storage.get(key)
  found?.body.destroy()
  return found !== undefined
}

describe('a video', () => {
  test('is returned as an array of one with all specified fields', async () => {
    const id = await addVideo(site, owner.user._id, { source: { container: 'ogg' }, title: 'Sea' })
    const { status, body } = await site.client().get(path(id))
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        _id: id,
        title: 'Sea',
        description: 'No description',
        thumbnail: expect.stringMatching(/^\/media\/pictures\/\w+\/640\.webp$/),
        videoFile: `/media/sources/${id}/attempt1.ogv`,
        streamUrl: `/media/videos/${id}/master.m3u8`,
        storyboardUrl: null,
        duration: 36.5,
        width: 640,
        height: 360,
        views: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        totalSubs: 0,
        totalLikes: 0,
        videoOwner: {
          _id: owner.user._id,
          username: owner.user.username,
          fullname: owner.user.fullname,
          avatar: owner.user.avatar,
        },
        processing: { state: 'processing', progress: 0, reason: null },
        visibility: 'public',
        captions: [],
        chapters: [],
        tags: [],
        category: null,
        language: null,
        licence: null,
        commentsAllowed: true,
        commentsHeld: false,
        downloadsAllowed: false,
        clipsAllowed: true,
      },
    ])
  })

  test('has the chapters that its description lists, or else those of its file', async () => {
    const ofFile = [
      { title: 'Start', startSeconds: 0 },
      { title: 'End', startSeconds: 30 },
    ]
    const id = await addVideo(site, owner.user._id, { source: { container: 'mp4', chapters: ofFile } })
    const chapters = async () => (await site.client().call(getVideo, { params: { id } }))[0]?.chapters
    expect(await chapters()).toEqual([
      { title: 'Start', startSeconds: 0, endSeconds: 30 },
      { title: 'End', startSeconds: 30, endSeconds: 36.5 },
    ])
    const description = 'Contents:\n0:00 Ebb\n0:10 Slack water\n0:20 Flood'
    await owner.client.call(updateVideo, { params: { id }, body: { description } })
    expect(await chapters()).toEqual([
      { title: 'Ebb', startSeconds: 0, endSeconds: 10 },
      { title: 'Slack water', startSeconds: 10, endSeconds: 20 },
      { title: 'Flood', startSeconds: 20, endSeconds: 36.5 },
    ])
  })

  test.each(['nothing', newId(), '%00', "'; drop table videos", 'x'.repeat(3000), '%F0%9F%98%80'])(
    'returns 404 with a message for the id %s',
    async (id) => {
      for (const method of ['GET', 'PATCH']) {
        const { status, body } = await site.client().send(method, path(id))
        expect([status, typeof body.message]).toEqual([404, 'string'])
      }
    },
  )
})

describe('views', () => {
  test('count immediately, and the dashboard adds them up by day', async () => {
    const { client, user } = await signUp(site)
    const id = await addVideo(site, user._id)
    for (const visitor of [client, site.client(), site.client()]) {
      expect((await visitor.patch(path(id))).status).toBe(200)
    }
    expect(await viewsOf(id)).toBe(3)
    const before = await client.call(getDashboard, {})
    await foldViews(site.db, 500)
    await foldViews(site.db, 500)
    expect(await viewsOf(id)).toBe(3)
    const after = await client.call(getDashboard, {})
    expect(after).toEqual(before)
    expect(after.totalViews).toBe(3)
    expect(after.viewsByDay).toHaveLength(28)
    expect(after.viewsByDay.at(-1)).toEqual({ day: site.clock.now().toISOString().slice(0, 10), views: 3 })
  })

  test('are added up again for the dashboard, even if that took seconds before', async () => {
    const { client, user } = await signUp(site)
    const id = await addVideo(site, user._id, { views: 5 })
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const slow = await site.db.transaction().execute(async (transaction) => {
        await sql`lock table daily_views in access exclusive mode`.execute(transaction)
        const dashboard = client.call(getDashboard, {})
        await untilWaitingForLock(site, 'daily_views')
        vi.advanceTimersByTime(60_000)
        return { dashboard }
      })
      expect(await slow.dashboard).toMatchObject({ totalViews: 5 })
      await client.call(deleteVideo, { params: { id } })
      expect(await client.call(getDashboard, {})).toMatchObject({ totalViews: 0, userVideos: [] })
    } finally {
      vi.useRealTimers()
    }
  })

  test('are merged exactly once by several workers, one of which is killed, while more arrive', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => addVideo(site, owner.user._id)))
    const watch = (times: number) =>
      Promise.all(Array.from({ length: times }, (_, n) => site.client().patch(path(ids[n % 5] ?? ''))))
    await watch(100)
    const dies = site.db.transaction().execute(async (transaction) => {
      expect(await foldViews(transaction, 500)).toBeGreaterThan(0)
      throw new Error('out of power')
    })
    await expect(dies).rejects.toThrow('out of power')
    await Promise.all([watch(100), ...Array.from({ length: 6 }, () => foldViews(site.db, 500))])
    expect(await Promise.all(ids.map(viewsOf))).toEqual([40, 40, 40, 40, 40])
    while ((await foldViews(site.db, 500)) > 0);
    const rows = await site.db.selectFrom('videos').select('views').where('id', 'in', ids).execute()
    expect(rows.map((row) => row.views)).toEqual([40, 40, 40, 40, 40])
    const days = await site.db.selectFrom('dailyViews').select('views').where('videoId', 'in', ids).execute()
    expect(days.reduce((sum, day) => sum + day.views, 0)).toBe(200)
  })

  test('are counted correctly while they are merged', async () => {
    const id = await addVideo(site, owner.user._id)
    const watch = () =>
      insertViews(site.context.db, [{ videoId: id, viewedAt: site.clock.now(), count: 2, isAllowed: false }])
    expect(await watch()).toMatchObject([{ id }])
    let watched: ReturnType<typeof watch> | undefined
    await site.db.transaction().execute(async (transaction) => {
      await sql`select from videos where id = ${id} for update`.execute(transaction)
      watched = watch()
      // it has read, and waits for this transaction
      await untilWaitingForLock(site, 'into pending_views')
      await foldViews(transaction, 500)
    })
    expect(await watched).toMatchObject([{ id }])
    expect(await viewsOf(id)).toBe(4)
  })

  test('count even if the merge cannot be enqueued', async () => {
    const lonely = await createTestApp()
    try {
      const { user } = await signUp(lonely)
      const id = await addVideo(lonely, user._id)
      await sql`alter schema pgboss rename to away`.execute(lonely.db)
      const visitor = lonely.client()
      // in sequence, because concurrent views share a row
      const statuses = new Set<number>()
      for (let count = 0; count < 100; count += 1) statuses.add((await visitor.patch(path(id))).status)
      expect([...statuses]).toEqual([200])
      const [video] = await visitor.call(getVideo, { params: { id } })
      expect(video?.views).toBe(100)
    } finally {
      await lonely.close()
    }
  })

  test('are merged by a worker after every hundredth row', async () => {
    const working = await createTestApp({ worker: true })
    try {
      const { user } = await signUp(working)
      const id = await addVideo(working, user._id)
      // in sequence, because concurrent views share a row
      for (let count = 0; count < 100; count += 1) await working.client().patch(path(id))
      const folded = () =>
        working.db.selectFrom('videos').select('views').where('id', '=', id).executeTakeFirst()
      await expect.poll(async () => (await folded())?.views).toBeGreaterThan(0)
      const [video] = await working.client().call(getVideo, { params: { id } })
      expect(video?.views).toBe(100)
    } finally {
      await working.close()
    }
  })

  test('do not wait for a locked video', async () => {
    const id = await addVideo(site, owner.user._id)
    await site.db.transaction().execute(async (transaction) => {
      await lockAnyVideo(transaction, id)
      const responses = await Promise.all(Array.from({ length: 20 }, () => site.client().patch(path(id))))
      expect(responses.every(({ status }) => status === 200)).toBe(true)
      expect(await viewsOf(id)).toBe(20)
    })
  })

  test('above the rate limit of a client are ignored silently', async () => {
    const strict = await createTestApp({ settings: { VIEWS_PER_MINUTE: '5' } })
    try {
      const { user } = await signUp(strict)
      const id = await addVideo(strict, user._id)
      for (let n = 0; n < 9; n += 1) expect((await strict.client().patch(path(id))).status).toBe(200)
      expect((await strict.client().patch(path('nothing'))).status).toBe(404)
      const [video] = await strict.client().call(getVideo, { params: { id } })
      expect(video?.views).toBe(5)
    } finally {
      await strict.close()
    }
  })
})

describe('lists', () => {
  test('are newest first and contain every row once while more are added', async () => {
    const fresh = await createTestApp()
    try {
      const { client, user } = await signUp(fresh)
      // many of the same time, so that only the id orders them
      const createdAt = (n: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 7) * 1000)
      const ids = await Promise.all(
        Array.from({ length: 50 }, (_, n) => addVideo(fresh, user._id, { createdAt: createdAt(n) })),
      )
      for (const limit of [1, 3, 7, 50]) {
        const seen: { id: string; at: string }[] = []
        let cursor: string | undefined
        do {
          const page = await fresh
            .client()
            .call(listVideos, { query: { limit, ...(cursor ? { cursor } : {}) } })
          seen.push(...page.items.map((video) => ({ id: video._id, at: video.createdAt })))
          cursor = page.nextCursor ?? undefined
          if (limit === 7) await addVideo(fresh, user._id)
        } while (cursor)
        const old = seen.filter(({ id }) => ids.includes(id))
        expect(old).toHaveLength(50)
        expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
        expect(seen.map(({ at }) => at)).toEqual(
          seen
            .map(({ at }) => at)
            .toSorted()
            .toReversed(),
        )
      }
      const { userVideos, nextCursor } = await client.call(listChannelVideos, {
        params: { username: user.username.toUpperCase() },
        query: { limit: 10 },
      })
      expect([userVideos.length, typeof nextCursor]).toEqual([10, 'string'])
    } finally {
      await fresh.close()
    }
  })

  test('without parameters return the newest 200 and a cursor', async () => {
    const fresh = await createTestApp()
    try {
      const { user } = await signUp(fresh)
      await Promise.all(Array.from({ length: 201 }, () => addVideo(fresh, user._id)))
      const { body } = await fresh.client().get('/api/v1/video/all')
      expect(body.data).toHaveLength(200)
      const { body: rest } = await fresh.client().get(`/api/v1/video/all?cursor=${body.nextCursor}`)
      expect([rest.data, rest.nextCursor]).toEqual([[expect.anything()], null])
    } finally {
      await fresh.close()
    }
  })

  test.each([
    'cursor=x',
    'cursor=',
    'limit=0',
    'limit=201',
    'limit=x',
    `cursor=${btoa('0000-01-01T00:00:00.000Z|a')}`,
  ])('reject ?%s', async (query) => {
    const { status, body } = await site.client().get(`/api/v1/video/all?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid'])
  })
})

describe('the videos of a channel', () => {
  test('need a session and a channel', async () => {
    const url = `/api/v1/users/videos/${owner.user.username}`
    expect((await site.client().get(url)).status).toBe(401)
    expect((await stranger.client.get('/api/v1/users/videos/nobody')).status).toBe(404)
    const { body } = await stranger.client.get(`/api/v1/users/videos/${stranger.user.username}`)
    expect(body.data).toEqual({ userVideos: [], nextCursor: null })
  })
})

describe('concurrent views', () => {
  test('are all counted, each for its video', async () => {
    const ids = [await addVideo(site, owner.user._id), await addVideo(site, owner.user._id)]
    const asked = Array.from({ length: 300 }, (_, n) => ids[n % 3] ?? 'nothing')
    const statuses = await Promise.all(asked.map(async (id) => (await site.client().patch(path(id))).status))
    expect(statuses).toEqual(asked.map((id) => (id === 'nothing' ? 404 : 200)))
    expect(await Promise.all(ids.map(viewsOf))).toEqual([100, 100])
  })
})

describe('the dashboard', () => {
  test('starts with zeros, with and without a trailing slash', async () => {
    const { client } = await signUp(site)
    for (const url of ['/api/v1/users/dashboard', '/api/v1/users/dashboard/']) {
      const { status, body } = await client.get(url)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ totalViews: 0, totalSubs: 0, totalLikes: 0, userVideos: [] })
    }
    expect((await site.client().get('/api/v1/users/dashboard/')).status).toBe(401)
  })
})

test('channel and dashboard list videos by createdAt, newest first', async () => {
  const { client, user } = await signUp(site)
  const days = [3, 1, 5, 2, 4]
  for (const day of days) {
    const createdAt = new Date(Date.UTC(2026, 0, day))
    await addVideo(site, user._id, { title: `Day ${day}`, createdAt })
  }
  for (const url of ['/api/v1/users/dashboard/', `/api/v1/users/videos/${user.username}`]) {
    const { data } = (await client.get(url)).body as { data: { userVideos: Video[] } }
    expect([url, data.userVideos.map(({ title }) => title)]).toEqual([
      url,
      ['Day 5', 'Day 4', 'Day 3', 'Day 2', 'Day 1'],
    ])
  }
})

describe('editing', () => {
  test('changes the given fields, for the owner only', async () => {
    const id = await addVideo(site, owner.user._id, { title: 'Old', description: 'Kept' })
    const input = { params: { id }, body: { title: ' New ', description: '' } }
    expect(await owner.client.call(updateVideo, input)).toMatchObject({ title: 'New', description: 'Kept' })
    expect(await owner.client.call(updateVideo, { params: { id }, body: {} })).toMatchObject({ title: 'New' })
    const url = `${path(id)}/details`
    expect((await site.client().patch(url, { title: 'x' })).status).toBe(401)
    expect((await stranger.client.patch(url, { title: 'x' })).status).toBe(403)
    expect((await stranger.client.patch(`${path('nothing')}/details`, { title: 'x' })).status).toBe(404)
    expect((await owner.client.patch(url, { title: 'x'.repeat(201) })).status).toBe(400)
  })
})

describe('deleting', () => {
  test('is for the owner: 401, 404, 403, then removes the video with all of its data', async () => {
    const id = await addVideo(site, owner.user._id)
    await stranger.client.post(`/api/v1/likes/video/toggle/${id}`)
    await stranger.client.post('/api/v1/comment/add', { videoId: id, content: 'Hello' })
    await stranger.client.patch(`/api/v1/users/updatehistory/${id}`)
    await stranger.client.patch(path(id))
    expect((await site.client().delete(path(id))).status).toBe(401)
    expect((await stranger.client.delete(path('nothing'))).status).toBe(404)
    expect((await stranger.client.delete(path(id))).status).toBe(403)
    expect(await viewsOf(id)).toBe(1)
    expect((await owner.client.delete(path(id))).status).toBe(200)
    expect((await owner.client.delete(path(id))).status).toBe(404)
    expect((await site.client().get(path(id))).status).toBe(404)
    const { body } = await stranger.client.get('/api/v1/users/watchhistory')
    expect(body.data).toEqual({ watchHistory: [], nextCursor: null })
    for (const table of ['comments', 'videoLikes', 'watchHistory', 'pendingViews'] as const) {
      expect(await site.db.selectFrom(table).selectAll().where('videoId', '=', id).execute()).toEqual([])
    }
  })

  test('deletes the files by a job, which may run twice', async () => {
    const thumbnail = newId()
    const working = await createTestApp({ worker: true })
    try {
      const { client, user } = await signUp(working)
      const id = await addVideo(working, user._id, { thumbnail })
      const keys = [`sources/${id}/source.mp4`, `segments/${id}/720/1.m4s`, `pictures/${thumbnail}/640.webp`]
      for (const key of keys) await working.storage.put(key, Buffer.from('x'))
      await client.delete(path(id))
      await expect
        .poll(() => Promise.all(keys.map((key) => isStored(working, key))))
        .toEqual([false, false, false])
      // marks stay until the second deletion of files
      expect(await isStored(working, hiddenKey(id))).toBe(true)
      const payload = { id, thumbnail, isLast: true }
      const again = deleteVideoFiles.handle(payload, working.context, AbortSignal.timeout(60_000))
      await expect(again).resolves.toBeUndefined()
      expect(await isStored(working, hiddenKey(id))).toBe(false)
    } finally {
      await working.close()
    }
  })

  test('succeeds during concurrent views, likes and comments', async () => {
    const id = await addVideo(site, owner.user._id)
    const fans = await Promise.all(Array.from({ length: 8 }, () => signUp(site)))
    const calls = fans.flatMap(({ client }) => [
      () => client.patch(path(id)),
      () => client.post(`/api/v1/likes/video/toggle/${id}`),
      () => client.post('/api/v1/comment/add', { videoId: id, content: 'Hello' }),
      () => client.patch(`/api/v1/users/updatehistory/${id}`),
      () => foldViews(site.db, 500).then(() => ({ status: 200 })),
    ])
    calls.splice(20, 0, () => owner.client.delete(path(id)))
    const statuses = await Promise.all(calls.map(async (call) => (await call()).status))
    expect(statuses.filter((status) => ![200, 201, 404].includes(status))).toEqual([])
    expect((await site.client().get(path(id))).status).toBe(404)
  })
})

test('a video that is taken down is hidden everywhere, and complete when it is reinstated', async () => {
  const id = await addVideo(site, owner.user._id)
  const comment = await stranger.client.call(addComment, { body: { videoId: id, content: 'Look' } })
  const likes = '/api/v1/likes/comment'
  const { client } = stranger
  await client.patch(`/api/v1/users/updatehistory/${id}`)
  const statuses = async () =>
    Promise.all(
      [
        site.client().get(`/api/v1/comment/get/${id}`),
        owner.client.get(`/api/v1/comment/get/${id}`),
        client.post(`${likes}/toggle/${comment._id}`),
        client.get(`${likes}/hasliked/${comment._id}`),
        client.patch(`/api/v1/users/updatehistory/${id}`),
      ].map(async (response) => (await response).status),
    )
  const watched = async () => (await client.call(getCurrentUser, {})).watchHistory
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  expect(await watched()).toEqual([id])

  await takeDown(site.context, id, 'a complaint')
  expect(await statuses()).toEqual([404, 404, 404, 404, 404])
  expect(await watched()).toEqual([])
  expect((await client.delete(`/api/v1/comment/delete/${id}/${comment._id}`)).status).toBe(404)
  expect((await client.delete(path(id))).status).toBe(404)
  await reinstate(site.context, id)
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  expect(await watched()).toEqual([id])
  expect((await client.delete(path(id))).status).toBe(403)

  await takeDown(site.context, id, 'a complaint')
  expect((await owner.client.delete(path(id))).status).toBe(200)
})

describe('the files of a video that is taken down', () => {
  const isMarked = (id: string) => isStored(site, hiddenKey(id))

  test('are marked while it is hidden, so that a reverse proxy asks the server', async () => {
    const id = await addVideo(site, owner.user._id)
    await takeDown(site.context, id, 'a complaint')
    expect([await isMarked(id), (await site.client().get(path(id))).status]).toEqual([true, 404])
    await reinstate(site.context, id)
    expect([await isMarked(id), (await site.client().get(path(id))).status]).toEqual([false, 200])
    await expect(takeDown(site.context, 'nothing', 'a complaint')).rejects.toThrow('does not exist')
    expect(await isMarked('nothing')).toBe(false)
  })

  test('are marked according to the rows when a web process starts', async () => {
    const [hidden, shown] = [await addVideo(site, owner.user._id), await addVideo(site, owner.user._id)]
    await site.db.updateTable('videos').set({ takedownReason: 'x' }).where('id', '=', hidden).execute()
    // an empty disk, as after restoring a backup
    const other = await createTestApp({ databaseUrl: site.databaseUrl })
    try {
      expect(await isStored(other, hiddenKey(hidden))).toBe(true)
      await other.storage.put(hiddenKey(shown), new Uint8Array())
      await reconcileHiddenMarks(other.context)
      expect(await isStored(other, hiddenKey(shown))).toBe(false)
      expect(await isStored(other, hiddenKey(hidden))).toBe(true)
    } finally {
      await other.close()
    }
  })
})
