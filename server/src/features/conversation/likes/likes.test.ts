import { addComment, listComments } from '@kinora/contract/conversation/comments.ts'
import * as contract from '@kinora/contract/conversation/likes.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, signUpMany } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp
let people: Awaited<ReturnType<typeof signUpMany>>
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  people = await signUpMany(site, 50)
})
afterAll(() => site.close())

const comment = async (videoId: string) =>
  (await owner.client.call(addComment, { body: { videoId, content: 'First' } }))._id

test('toggles a like', async () => {
  const id = await addVideo(site, owner.user._id)
  const { client } = owner
  const params = { id }
  expect(await client.call(contract.hasLikedVideo, { params })).toEqual({ liked: false })
  expect(await client.call(contract.toggleVideoLike, { params })).toEqual({ liked: true, totalLikes: 1 })
  expect(await client.call(contract.hasLikedVideo, { params })).toEqual({ liked: true })
  expect(await site.client().call(contract.countVideoLikes, { params })).toBe(1)
  expect((await site.client().call(getVideo, { params }))[0]?.totalLikes).toBe(1)
  expect(await client.call(contract.toggleVideoLike, { params })).toEqual({ liked: false, totalLikes: 0 })
  expect(await client.call(contract.hasLikedVideo, { params })).toEqual({ liked: false })
})

test('liking again, and removing a like again, changes nothing', async () => {
  const id = await addVideo(site, owner.user._id)
  const commentId = await comment(id)
  const { client } = owner
  const endpoints = [
    [contract.putVideoLike, contract.deleteVideoLike],
    [contract.putCommentLike, contract.deleteCommentLike],
  ] as const
  for (const [put, remove] of endpoints) {
    const params = { id, commentId }
    for (let time = 0; time < 2; time += 1)
      expect(await client.call(put, { params })).toEqual({ liked: true, totalLikes: 1 })
    for (let time = 0; time < 2; time += 1)
      expect(await client.call(remove, { params })).toEqual({ liked: false, totalLikes: 0 })
  }
  const together = await Promise.all(
    people.map((person) => person.client.call(contract.putVideoLike, { params: { id } })),
  )
  expect(together.every(({ liked }) => liked)).toBe(true)
  expect(await client.call(contract.countVideoLikes, { params: { id } })).toBe(people.length)
})

test("lists comments with their likes and the viewer's own", async () => {
  const id = await addVideo(site, owner.user._id)
  const commentId = await comment(id)
  const { client } = owner
  expect(await client.call(contract.toggleCommentLike, { params: { commentId } })).toEqual({
    liked: true,
    totalLikes: 1,
  })
  expect(await client.call(contract.hasLikedComment, { params: { commentId } })).toEqual({ liked: true })
  const seen = await Promise.all(
    [client, site.client()].map((visitor) => visitor.call(listComments, { params: { videoId: id } })),
  )
  expect(seen.map(({ items }) => [items[0]?.likes, items[0]?.liked])).toEqual([
    [1, true],
    [1, false],
  ])
  await client.call(contract.toggleCommentLike, { params: { commentId } })
  expect(await client.call(contract.hasLikedComment, { params: { commentId } })).toEqual({ liked: false })
})

test('returns 401 when signed out, before 404 for an unknown video', async () => {
  const calls = [
    ['GET', '/api/v1/likes/video/hasliked/nothing'],
    ['POST', '/api/v1/likes/video/toggle/nothing'],
    ['GET', '/api/v1/likes/comment/hasliked/nothing'],
    ['POST', '/api/v1/likes/comment/toggle/nothing'],
    ['PUT', '/api/v1/likes/video/nothing'],
    ['DELETE', '/api/v1/likes/comment/nothing'],
  ] as const
  for (const [method, path] of calls) {
    expect((await site.client().send(method, path)).status).toBe(401)
    expect((await owner.client.send(method, path)).status).toBe(404)
  }
  expect((await site.client().get('/api/v1/likes/video/totallikes/nothing')).status).toBe(404)
})

test('fifty concurrent likes count fifty, and none after fifty concurrent removals', async () => {
  const id = await addVideo(site, owner.user._id)
  const commentId = await comment(id)
  const likeAll = () =>
    Promise.all(
      people.flatMap(({ client }) => [
        client.call(contract.toggleVideoLike, { params: { id } }),
        client.call(contract.toggleCommentLike, { params: { commentId } }),
      ]),
    )
  const counts = async () => {
    const { items } = await site.client().call(listComments, { params: { videoId: id } })
    return [await site.client().call(contract.countVideoLikes, { params: { id } }), items[0]?.likes]
  }
  const states = await likeAll()
  expect(states.every(({ liked }) => liked)).toBe(true)
  expect(states.map(({ totalLikes }) => totalLikes).toSorted((a, b) => a - b)).toEqual(
    people.flatMap((_, index) => [index + 1, index + 1]),
  )
  expect(await counts()).toEqual([50, 50])
  await likeAll()
  expect(await counts()).toEqual([0, 0])
})

test('concurrent toggles of one user count at most once, and the count equals the rows', async () => {
  const id = await addVideo(site, owner.user._id)
  const commentId = await comment(id)
  const states = await Promise.all(
    Array.from({ length: 31 }, () => owner.client.call(contract.toggleVideoLike, { params: { id } })),
  )
  // every toggle takes effect: an odd number of them leaves a like
  expect(states.filter(({ liked }) => liked)).toHaveLength(16)
  expect(states.every(({ liked, totalLikes }) => totalLikes === (liked ? 1 : 0))).toBe(true)
  expect(await site.client().call(contract.countVideoLikes, { params: { id } })).toBe(1)
  await Promise.all(
    Array.from({ length: 30 }, () =>
      owner.client.call(contract.toggleCommentLike, { params: { commentId } }),
    ),
  )
  const { items } = await site.client().call(listComments, { params: { videoId: id } })
  expect(items[0]?.likes).toBe(0)
  expect(await site.db.selectFrom('videoLikes').selectAll().where('videoId', '=', id).execute()).toHaveLength(
    1,
  )
  expect(await site.db.selectFrom('commentLikes').selectAll().execute()).toHaveLength(0)
})
