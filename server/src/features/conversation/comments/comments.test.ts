import { addComment, listComments } from '@kinora/contract/conversation/comments.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let author: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  author = await signUp(site)
})
afterAll(() => site.close())

const add = (videoId: string, content: string) =>
  author.client.call(addComment, { body: { videoId, content } })
const listUrl = (videoId: string) => `/api/v1/comment/get/${videoId}`
const deleteUrl = (videoId: string, commentId: string) => `/api/v1/comment/delete/${videoId}/${commentId}`

test('lists trimmed comments, newest first, to everybody', async () => {
  const videoId = await addVideo(site, owner.user._id)
  expect((await site.client().get(listUrl(videoId))).body).toMatchObject({ data: [], nextCursor: null })
  await add(videoId, 'First')
  await nextMillisecond()
  const text = '<script>alert(1)</script>\nשלום 👍🏽 https://example.org'
  const added = await add(videoId, `  ${text}\n `)
  const { body } = await site.client().get(listUrl(videoId))
  expect(body.data).toEqual([
    {
      _id: added._id,
      content: text,
      createdAt: added.createdAt,
      likes: 0,
      liked: false,
      commentOwner: {
        _id: author.user._id,
        username: author.user.username,
        avatar: author.user.avatar,
      },
      parentId: null,
      replies: 0,
      mentions: [],
      editedAt: null,
      isPinned: false,
      isHearted: false,
      isHeld: false,
    },
    expect.objectContaining({ content: 'First' }),
  ])
})

test('accepts JSON and forms with 1 to 10,000 characters', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const post = (body: object) => author.client.post('/api/v1/comment/add', body)
  expect((await post({ videoId, content: 'x'.repeat(10_000) })).status).toBe(201)
  expect((await post({ videoId, content: '😀'.repeat(10_000) })).status).toBe(201)
  expect((await post(new URLSearchParams({ videoId, content: 'a form' }))).status).toBe(201)
  for (const content of [
    '',
    '\u200b \u202e',
    '😀'.repeat(10_001),
    ' \n\t\u00a0',
    'x'.repeat(10_001),
    'a\u0000b',
    5,
    null,
    undefined,
  ]) {
    const { status, body } = await post({ videoId, content })
    expect([status, typeof body.message]).toEqual([400, 'string'])
  }
  expect((await post({ content: 'x' })).status).toBe(400)
  expect((await post({ videoId: 'nothing', content: 'x' })).status).toBe(404)
  expect((await post({ videoId: 'a\u0000b', content: 'x' })).status).toBe(400)
  expect((await site.client().post('/api/v1/comment/add', { videoId, content: '' })).status).toBe(401)
})

test('returns 404 for the comments of an unknown video', async () => {
  expect((await site.client().get(listUrl('nothing'))).status).toBe(404)
})

test('only the author deletes a comment: 401, 404 also for a comment of another video, 403', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const otherId = await addVideo(site, owner.user._id)
  const { _id } = await add(videoId, 'Mine')
  expect((await site.client().delete(deleteUrl(videoId, _id))).status).toBe(401)
  expect((await author.client.delete(deleteUrl(otherId, _id))).status).toBe(404)
  expect((await author.client.delete(deleteUrl(videoId, 'nothing'))).status).toBe(404)
  expect((await owner.client.delete(deleteUrl(videoId, _id))).status).toBe(403)
  expect((await site.client().get(listUrl(videoId))).body.data).toHaveLength(1)
  expect((await author.client.delete(deleteUrl(videoId, _id))).status).toBe(200)
  expect((await author.client.delete(deleteUrl(videoId, _id))).status).toBe(404)
  expect((await site.client().get(listUrl(videoId))).body.data).toEqual([])
})

test('concurrent deletions succeed once', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id } = await add(videoId, 'Mine')
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => author.client.delete(deleteUrl(videoId, _id))),
  )
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 404),
  ])
})

test('pages contain every comment once while more are added', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const ids = await Promise.all(Array.from({ length: 25 }, async (_, n) => (await add(videoId, `${n}`))._id))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 4, ...(cursor ? { cursor } : {}) }
    const page = await site.client().call(listComments, { params: { videoId }, query })
    seen.push(...page.items.map((comment) => comment._id))
    cursor = page.nextCursor ?? undefined
    await add(videoId, 'more')
  } while (cursor)
  expect(seen.toSorted()).toEqual(ids.toSorted())
})

test('only the owner of the video removes comments of others', async () => {
  const videoId = await addVideo(site, owner.user._id)
  const { _id: commentId } = await add(videoId, 'Buy now')
  const removeUrl = `/api/v1/comment/remove/${videoId}/${commentId}`
  expect((await site.client().delete(removeUrl)).status).toBe(401)
  expect((await author.client.delete(removeUrl)).status).toBe(403)
  const elsewhere = await addVideo(site, owner.user._id)
  const wrongVideo = `/api/v1/comment/remove/${elsewhere}/${commentId}`
  expect((await owner.client.delete(wrongVideo)).status).toBe(404)
  // the specified call is for authors only
  expect((await owner.client.delete(deleteUrl(videoId, commentId))).status).toBe(403)
  expect((await owner.client.delete(removeUrl)).status).toBe(200)
  expect((await site.client().get(listUrl(videoId))).body).toMatchObject({ data: [] })
  expect((await owner.client.delete(removeUrl)).status).toBe(404)
})
