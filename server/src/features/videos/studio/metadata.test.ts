import { addComment } from '@kinora/contract/conversation/comments.ts'
import {
  changeOwnVideo,
  changeOwnVideos,
  getOwnVideo,
  listOwnVideos,
  type StudioSort,
} from '@kinora/contract/videos/studio.ts'
import { browseVideos, getVideo, listCategories, listPopularVideos } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
})
afterAll(() => site.close())

const change = (id: string, body: object) => owner.client.patch(`/api/v1/studio/videos/${id}`, body)

test('stores what the owner states, and shows it to viewers', async () => {
  const id = await addVideo(site, owner.user._id)
  const initial = { tags: [], category: null, language: null, licence: null, commentsAllowed: true }
  expect((await site.client().call(getVideo, { params: { id } }))[0]).toMatchObject(initial)
  const body = {
    tags: ['#Salt flats', 'time-lapse', 'salt flats'],
    category: 'nature' as const,
    language: 'pt-BR',
    licence: 'cc-by-4.0' as const,
    commentsAllowed: false,
    downloadsAllowed: true,
  }
  await owner.client.call(changeOwnVideo, { params: { id }, body })
  const stored = { ...body, tags: ['salt-flats', 'time-lapse'] }
  expect((await site.client().call(getVideo, { params: { id } }))[0]).toMatchObject(stored)
  // a field that is left out stays
  await owner.client.call(changeOwnVideo, { params: { id }, body: { category: null } })
  expect(await owner.client.call(getOwnVideo, { params: { id } })).toMatchObject({
    ...stored,
    category: null,
  })
})

test('clears the description with an empty text, and keeps it without one', async () => {
  const id = await addVideo(site, owner.user._id, { description: 'Salt' })
  const descriptionAfter = async (body: { title?: string; description?: string }) =>
    (await owner.client.call(changeOwnVideo, { params: { id }, body })).description
  expect(await descriptionAfter({ title: 'Flats' })).toBe('Salt')
  expect(await descriptionAfter({ description: ' ' })).toBe('')
})

test('names the field of metadata that cannot be stored', async () => {
  const id = await addVideo(site, owner.user._id)
  for (const [body, field] of [
    [{ tags: Array.from({ length: 16 }, (_, n) => `tag${n}`) }, 'tags'],
    [{ tags: ['a/b'] }, 'tags.0'],
    [{ tags: ['x'.repeat(51)] }, 'tags.0'],
    [{ category: 'weather' }, 'category'],
    [{ language: 'Klingon' }, 'language'],
    [{ licence: 'mine' }, 'licence'],
  ] as const) {
    const response = await change(id, body)
    const paths = response.body.errors?.map(({ path }) => path)
    expect([response.status, paths]).toEqual([400, [field]])
  }
})

test('refuses comments where they are turned off', async () => {
  const id = await addVideo(site, owner.user._id)
  await owner.client.call(changeOwnVideo, { params: { id }, body: { commentsAllowed: false } })
  const post = owner.client.call(addComment, { body: { videoId: id, content: 'First' } })
  await expect(post).rejects.toMatchObject({
    status: 403,
    message: 'Comments are turned off for this video',
  })
})

test('lists the videos of a tag and of a category, newest first, by cursor', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const add = (minute: number, fields: object) =>
    addVideo(site, owner.user._id, { createdAt: at(minute), ...fields })
  const ids = [
    await add(1, { tags: ['dune'], category: 'travel' }),
    await add(2, { description: 'The great #Dune, at last' }),
    await add(3, { tags: ['dune'] }),
  ]
  await add(4, { description: 'https://kinora.example/#dune, dune#dune and #dunes', category: 'travel' })
  const list = (query: object) => site.client().call(browseVideos, { query })
  const first = await list({ tag: '#Dune', limit: 2 })
  const rest = await list({ tag: 'dune', limit: 2, cursor: first.nextCursor ?? '' })
  expect([...first.items, ...rest.items].map(({ _id }) => _id)).toEqual(ids.toReversed())
  expect(rest.nextCursor).toBeNull()
  const both = await list({ tag: 'dune', category: 'travel' })
  expect(both.items.map(({ _id }) => _id)).toEqual([ids[0]])
  expect((await list({ tag: 'nothing' })).items).toEqual([])
  expect((await site.client().get('/api/v1/browse')).status).toBe(400)
})

test('lists the categories of videos that the caller may find, and the most watched videos', async () => {
  const categories = (client = site.client()) => client.call(listCategories, {})
  expect(await categories()).not.toContain('gaming')
  await addVideo(site, owner.user._id, { category: 'gaming', visibility: 'members' })
  const watched = await addVideo(site, owner.user._id, { category: 'comedy', views: 1_000_000 })
  // Responses to visitors are cached until a write over HTTP.
  await owner.client.call(changeOwnVideo, { params: { id: watched }, body: { tags: ['watched'] } })
  expect(await categories()).toContain('comedy')
  expect(await categories()).not.toContain('gaming')
  expect(await categories(owner.client)).toContain('gaming')
  expect((await site.client().call(listPopularVideos, {}))[0]?._id).toBe(watched)
})

test.each([0, 2100])(
  'lists a tag of two videos behind thousands, and %d others, by pages',
  async (others) => {
    const channel = await signUp(site)
    const tag = `rare${others}`
    const old = { createdAt: new Date(2), tags: [tag] }
    const ids = [await addVideo(site, channel.user._id, old), await addVideo(site, channel.user._id, old)]
    try {
      await site.db.transaction().execute(async (transaction) => {
        // without the triggers that index them for the search
        await sql`set local session_replication_role = replica`.execute(transaction)
        await sql`
        insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds, width,
          height, source, tags, created_at)
        select 'v' || n, ${channel.user._id}, 'Other', '', 'x', 'x', 1, 1, 640, 360, '{}',
          case when n <= ${others}::int then array[${tag}::text] else '{}' end,
          case when n <= ${others}::int then to_timestamp(0) else now() end
        from generate_series(1, ${2100 + others}::int) n`.execute(transaction)
      })
      const list = (query: object) => site.client().call(browseVideos, { query: { tag, ...query } })
      const first = await list({ limit: 1 })
      const rest = await list({ limit: 1, cursor: first.nextCursor ?? '' })
      expect([...first.items, ...rest.items].map(({ _id }) => _id)).toEqual(ids.toSorted().toReversed())
      expect(rest.nextCursor === null).toBe(others === 0)
    } finally {
      await site.db.deleteFrom('videos').where('ownerId', '=', channel.user._id).execute()
    }
  },
)

test('lists own videos in each order, by pages', async () => {
  const channel = await signUp(site)
  const add = (title: string, fields: object) => addVideo(site, channel.user._id, { title, ...fields })
  const a = await add('Alder', { views: 1, likesCount: 2, createdAt: new Date(3) })
  const b = await add('birch', { views: 2, likesCount: 3, createdAt: new Date(1) })
  const c = await add('Cedar', { views: 3, likesCount: 1, createdAt: new Date(2) })
  // views that are not folded into the count yet
  for (let n = 0; n < 3; n += 1) await site.client().patch(`/api/v1/video/${a}`)
  const orderOf = async (sort: StudioSort) => {
    const pages = [0, 2].map((offset) =>
      channel.client.call(listOwnVideos, { query: { sort, offset, limit: 2 } }),
    )
    return (await Promise.all(pages)).flatMap(({ videos }) => videos.map(({ _id }) => _id))
  }
  expect(await orderOf('newest')).toEqual([a, c, b])
  expect(await orderOf('oldest')).toEqual([b, c, a])
  expect(await orderOf('title')).toEqual([a, b, c])
  expect(await orderOf('views')).toEqual([a, c, b])
  expect(await orderOf('likes')).toEqual([b, a, c])
})

test('labels several videos in one call', async () => {
  const ids = [await addVideo(site, owner.user._id), await addVideo(site, owner.user._id)]
  const videos = ids.map((_id) => ({ _id, tags: ['bulk'], category: 'music' as const }))
  await owner.client.call(changeOwnVideos, { body: { videos } })
  const { items } = await site.client().call(browseVideos, { query: { tag: 'bulk', category: 'music' } })
  expect(items.map(({ _id }) => _id).toSorted()).toEqual(ids.toSorted())
})
