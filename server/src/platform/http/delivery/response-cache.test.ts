import { addComment, deleteComment, listComments } from '@kinora/contract/comments.ts'
import { countVideoLikes, toggleCommentLike, toggleVideoLike } from '@kinora/contract/likes.ts'
import { searchVideos } from '@kinora/contract/search.ts'
import { toggleSubscription } from '@kinora/contract/subscriptions.ts'
import { updateDetails } from '@kinora/contract/users.ts'
import {
  deleteVideo,
  getVideo,
  listVideos,
  recordView,
  updateVideo,
  type Video,
} from '@kinora/contract/videos.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createContext } from '../../../create-context.ts'
import { buildServer, createWebContext } from '../../../http/server.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { ResponseCache } from './response-cache.ts'
import { textTopic } from '../../db/pubsub.ts'

/** A response that counts its builds, each of which ends with `release`. */
function createSource() {
  const source = {
    made: 0,
    release: () => {},
    make: async () => {
      source.made += 1
      const value = { data: { _id: 'a', number: source.made } }
      await new Promise<void>((resolve) => (source.release = resolve))
      return value
    },
  }
  return source
}

const numberIn = (response: { json: Buffer }) =>
  (JSON.parse(response.json.toString()) as { data: { number: number } }).data.number

describe('the response cache', () => {
  test('builds a response once for concurrent requests', async () => {
    const [cache, source] = [new ResponseCache('_id'), createSource()]
    const responses = Promise.all(Array.from({ length: 100 }, () => cache.get('/', source.make)))
    source.release()
    expect((await responses).map(numberIn)).toEqual(Array.from({ length: 100 }, () => 1))
    expect([numberIn(await cache.get('/', source.make)), source.made]).toEqual([1, 1])
  })

  test('rebuilds for requests after an invalidation, and does not store the older response', async () => {
    const [cache, source] = [new ResponseCache('_id'), createSource()]
    const before = cache.get('/', source.make)
    cache.invalidate(['a'])
    const after = [cache.get('/', source.make), cache.get('/', source.make)]
    source.release()
    expect(numberIn(await before)).toBe(1)
    await vi.waitFor(() => expect(source.made).toBe(2))
    source.release()
    expect((await Promise.all(after)).map(numberIn)).toEqual([2, 2])
    expect(numberIn(await cache.get('/', source.make))).toBe(2)
  })

  test('invalidates an entry by the ids it shows, its names and everything, not by other names', async () => {
    const [cache, source] = [new ResponseCache('_id'), createSource()]
    const responses = cache.get('/', source.make, ['name'])
    cache.invalidate(['something else'])
    source.release()
    await responses
    cache.invalidate(['something else'])
    expect(cache.find('/')).toBeDefined()
    for (const changes of [['a'], ['name'], 'everything'] as const) {
      cache.invalidate(changes)
      expect(cache.find('/')).toBeUndefined()
      const again = cache.get('/', source.make, ['name'])
      source.release()
      await again
      expect(cache.find('/')).toBeDefined()
    }
  })

  test('raises counters of stored and pending responses, and never lowers them', async () => {
    const [cache, source] = [new ResponseCache('_id'), createSource()]
    const grown = (number: number, others = {}) =>
      cache.applyCounters(new Map([['a', { number, ...others }], ...Object.entries({ b: { number: 100 } })]))
    const responses = cache.get('/', source.make)
    grown(7, { unknown: 3 })
    source.release()
    expect(JSON.parse((await responses).json.toString())).toEqual({ data: { _id: 'a', number: 7 } })
    for (const [raised, shown] of [
      [9, 9],
      [8, 9],
      [12, 12],
    ] as const) {
      const before = await cache.get('/', source.make)
      grown(raised)
      const after = await cache.get('/', source.make)
      expect([numberIn(after), after === before]).toEqual([shown, raised < shown])
    }
    // Updates out of order show the largest value.
    grown(20)
    grown(15)
    expect([numberIn(await cache.get('/', source.make)), source.made]).toEqual([20, 1])
  })

  test('expires entries after a second, also when their counters were raised', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const [cache, source] = [new ResponseCache('_id'), createSource()]
      const responses = cache.get('/', source.make)
      // The age counts from the start of the build.
      vi.advanceTimersByTime(600)
      source.release()
      await responses
      vi.advanceTimersByTime(399)
      cache.applyCounters(new Map([['a', { number: 5 }]]))
      expect(cache.find('/')).toBeDefined()
      vi.advanceTimersByTime(1)
      expect(cache.find('/')).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  test('rejects all waiting requests when the build fails, and builds again for the next', async () => {
    const cache = new ResponseCache('_id')
    const fail = () => Promise.reject(new Error('lost'))
    const responses = await Promise.allSettled([cache.get('/', fail), cache.get('/', fail)])
    expect(responses.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect((await cache.get('/', async () => 'found')).json.toString()).toBe('"found"')
  })
})

describe('over HTTP', () => {
  let site: TestApp
  beforeAll(async () => {
    site = await createTestApp()
  })
  afterAll(() => site.close())

  const all = async (client: TestClient, videoId: string) => {
    const params = { id: videoId }
    const [list, [one], likes, comments, found] = await Promise.all([
      client.call(listVideos, {}),
      client.call(getVideo, { params }),
      client.call(countVideoLikes, { params }),
      client.call(listComments, { params: { videoId } }),
      client.call(searchVideos, { params: { term: 'heron' } }),
    ])
    return {
      shown: [
        list.items.find(({ _id }) => _id === videoId),
        one,
        found.items.find(({ _id }) => _id === videoId),
      ],
      likes,
      comments: comments.items,
    }
  }

  test('every write is visible to all viewers once it is confirmed', async () => {
    const owner = await signUp(site)
    const fan = await signUp(site)
    const videoId = await addVideo(site, owner.user._id, { title: 'Heron' })
    const params = { id: videoId }
    const [visitor, viewer] = [site.client(), site.client()]
    const see = () => all(visitor, videoId)
    const each = (expected: object) => Array.from({ length: 3 }, () => expect.objectContaining(expected))

    for (const views of [1, 2, 3]) {
      await see()
      await viewer.call(recordView, { params })
      expect((await see()).shown).toEqual(each({ views }))
    }
    await fan.client.call(toggleVideoLike, { params })
    expect(await see()).toMatchObject({
      likes: 1,
      shown: [{ totalLikes: 1 }, { totalLikes: 1 }, { totalLikes: 1 }],
    })

    const body = { videoId, content: 'Well seen' }
    const { _id: commentId } = await fan.client.call(addComment, { body })
    expect((await see()).comments).toMatchObject([{ content: 'Well seen', likes: 0 }])
    await owner.client.call(toggleCommentLike, { params: { commentId } })
    expect((await see()).comments).toMatchObject([{ likes: 1, liked: false }])
    await fan.client.call(deleteComment, { params: { videoId, commentId } })
    expect((await see()).comments).toEqual([])

    await fan.client.call(toggleSubscription, { params: { username: owner.user.username } })
    expect((await see()).shown).toEqual(each({ totalSubs: 1 }))
    await owner.client.call(updateDetails, { body: { fullname: 'Grey Heron' } })
    const videoOwner = expect.objectContaining({ fullname: 'Grey Heron' }) as object
    expect((await see()).shown).toEqual(each({ videoOwner }))
    await owner.client.call(updateVideo, { params, body: { title: 'Heron at dawn' } })
    expect((await see()).shown).toEqual(each({ title: 'Heron at dawn' }))
    await owner.client.call(deleteVideo, { params })
    expect((await visitor.call(listVideos, {})).items).toEqual([])
    expect((await visitor.call(searchVideos, { params: { term: 'heron' } })).items).toEqual([])
    expect((await visitor.get(`/api/v1/video/${videoId}`)).status).toBe(404)
    expect((await visitor.get(`/api/v1/comment/get/${videoId}`)).status).toBe(404)
  })

  test('a view updates cached responses without building them again', async () => {
    const { user } = await signUp(site)
    const videoId = await addVideo(site, user._id)
    const [list, one] = ['/api/v1/video/all', `/api/v1/video/${videoId}`]
    const kept = () =>
      [list, one].map((path) => {
        const body = JSON.parse(site.context.responseCache.find(path)?.json.toString() ?? '{}') as {
          data?: Video[]
        }
        return body.data?.find(({ _id }) => _id === videoId)?.views
      })
    // messages arrive in order: those of the new video came before this one
    const { pubsub, db } = site.context
    const received = Promise.withResolvers<string>()
    await pubsub.subscribe(textTopic('marker'), received.resolve)
    await pubsub.publish(db, textTopic('marker'), '')
    await received.promise
    // Entries do not expire.
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      for (const path of [list, one]) await site.client().get(path)
      for (const views of [1, 2]) {
        await site.client().call(recordView, { params: { id: videoId } })
        expect(kept()).toEqual([views, views])
      }
    } finally {
      vi.useRealTimers()
    }
  })

  test('viewers do not get responses of other viewers', async () => {
    const fan = await signUp(site)
    const videoId = await addVideo(site, fan.user._id)
    const body = { videoId, content: 'Mine' }
    const { _id: commentId } = await fan.client.call(addComment, { body })
    await fan.client.call(toggleCommentLike, { params: { commentId } })
    const liked = async (client: TestClient) =>
      (await client.call(listComments, { params: { videoId } })).items.map((comment) => comment.liked)
    const [visitor, other] = [site.client(), (await signUp(site)).client]
    for (let round = 0; round < 3; round += 1) {
      expect(await Promise.all([fan.client, visitor, other].map(liked))).toEqual([[true], [false], [false]])
    }
  })

  test('responses are compressed by Accept-Encoding and answered 304 by If-None-Match', async () => {
    const { user } = await signUp(site)
    for (let n = 0; n < 5; n += 1) await addVideo(site, user._id, { description: 'Many words. '.repeat(50) })
    const get = (headers: Record<string, string>) => site.client().fetch('/api/v1/video/all', { headers })
    const plain = await get({ 'accept-encoding': 'identity' })
    const text = await plain.text()
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'accept-encoding',
    ])
    for (const encoding of ['br', 'gzip']) {
      const packed = await get({ 'accept-encoding': encoding })
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(text.length / 5)
      expect(await packed.text()).toBe(text)
    }
    const etag = plain.headers.get('etag') ?? ''
    const unchanged = await get({ 'if-none-match': etag })
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
    await addVideo(site, user._id)
    expect((await get({ 'if-none-match': etag })).status).toBe(200)
    const head = await site.client().fetch('/api/v1/video/all', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('other processes apply changes, and immediately for the client that wrote', async () => {
    const context = await createContext(site.context.config, site.databaseUrl, 'web')
    const app = await buildServer({ ...createWebContext(context), limits: site.context.limits })
    // Entries do not expire, so that only notifications can change what is shown.
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const elsewhere = await app.listen({ host: '127.0.0.1', port: 0 })
      const { user, client } = await signUp(site)
      const videoId = await addVideo(site, user._id)
      const params = { id: videoId }
      const viewsOf = async (viewer: TestClient) => (await viewer.call(getVideo, { params }))[0]?.views
      const stranger = new TestClient(elsewhere)
      const same = new TestClient(elsewhere)
      for (let views = 1; views <= 20; views += 1) {
        await viewsOf(stranger)
        await client.call(recordView, { params })
        for (const [name, value] of client.cookies) same.cookies.set(name, value)
        expect(await viewsOf(same)).toBe(views)
        await expect.poll(() => viewsOf(stranger), { interval: 5 }).toBe(views)
      }
    } finally {
      vi.useRealTimers()
      await app.close()
      await context.close()
    }
  })
})
