import { deleteCaptions } from '@kinora/contract/videos/captions.ts'
import {
  addComment,
  addReply,
  approveComment,
  holdComment,
  deleteComment,
  editComment,
  listComments,
  markComment,
  removeComment,
  restoreComment,
} from '@kinora/contract/conversation/comments.ts'
import { toggleCommentLike, toggleVideoLike } from '@kinora/contract/conversation/likes.ts'
import { putChannelIntros } from '@kinora/contract/videos/intros.ts'
import { changeOwnVideo, deleteOwnVideos } from '@kinora/contract/videos/studio.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { replaceFile } from '@kinora/contract/videos/uploads.ts'
import { deleteAccount } from '@kinora/contract/portability/account-deletion.ts'
import { updateDetails } from '@kinora/contract/accounts/emails.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { getVideo, listVideos, recordView, updateVideo } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reinstate, takeDown } from '../features/videos/videos/actions/hide-video.ts'
import { createTestApp, type TestApp } from '../testing/fixtures/test-app.ts'
import type { TestClient } from '../testing/fixtures/test-client.ts'
import { TextResponse } from '@kinora/platform/http/delivery/text-response.ts'
import { createWebContext } from './server.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { append, begin } from '../testing/fixtures/test-uploads.ts'
import { drawPicture, signUp, testPassword } from '../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../testing/fixtures/test-videos.ts'

const metricsToken = 'a token of this test'
let site: TestApp
/** Another process on the same database. */
let other: TestApp
/** A video that recommends those of the tests, by their tag. */
let seedId: string

beforeAll(async () => {
  site = await createTestApp({ settings: { METRICS_TOKEN: metricsToken } })
  other = await createTestApp({ databaseUrl: site.databaseUrl })
  seedId = await addVideo(site, (await signUp(site)).user._id, { tags: ['heron'] })
})
afterAll(async () => {
  await other.close()
  await site.close()
})

/** Every cached response that may show a video. */
const pathsOf = (videoId: string) => [
  '/api/v1/video/all',
  '/api/v1/browse?tag=heron',
  '/api/v1/popular',
  `/api/v1/video/${videoId}`,
  `/api/v1/recommendations/${seedId}`,
  '/api/v1/video/search/heron',
  '/api/v1/search/suggestions?text=her',
  '/api/v1/search/summary?text=heron',
  `/api/v1/likes/video/totallikes/${videoId}`,
  `/api/v1/comment/get/${videoId}`,
  `/api/v1/comment/pinned/${videoId}`,
]
/** Response as a client reads it, without the ids of requests. */
const read = (client: TestClient, videoId: string) =>
  Promise.all(
    pathsOf(videoId).map(async (path) => {
      const { status, body } = await client.get(path)
      return { path, status, data: body.data }
    }),
  )

const setHeld = ({ client }: Awaited<ReturnType<typeof signUp>>, id: string, commentsHeld: boolean) =>
  client.call(changeOwnVideo, { params: { id }, body: { commentsHeld } })

/** Channel, video, comments and clients of a test. */
async function createScene() {
  const [owner, fan, member] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, owner.user._id, { title: 'Heron', tags: ['heron'] })
  const body = { videoId, content: 'Well seen' }
  const { _id: commentId } = await fan.client.call(addComment, { body })
  const { _id: deletedId } = await fan.client.call(addComment, { body })
  await fan.client.call(deleteComment, { params: { videoId, commentId: deletedId } })
  await setHeld(owner, videoId, true)
  const { _id: heldId } = await fan.client.call(addComment, { body })
  await setHeld(owner, videoId, false)
  const captionsId = await addTestCaptions(site, videoId)
  const picture = async (field: string) => {
    const form = new FormData()
    form.set(field, new Blob([await drawPicture()]), 'picture.png')
    return form
  }
  const comments = { commentId, deletedId, heldId }
  return { owner, fan, member, videoId, ...comments, captionsId, picture, visitor: site.client() }
}
type Scene = Awaited<ReturnType<typeof createScene>>

const writes: Record<string, (scene: Scene) => Promise<unknown>> = {
  'a view': ({ visitor, videoId }) => visitor.call(recordView, { params: { id: videoId } }),
  'a like': ({ fan, videoId }) => fan.client.call(toggleVideoLike, { params: { id: videoId } }),
  'a comment': ({ fan, videoId }) => fan.client.call(addComment, { body: { videoId, content: 'More' } }),
  'a like of a comment': ({ fan, commentId }) =>
    fan.client.call(toggleCommentLike, { params: { commentId } }),
  'a reply': ({ fan, commentId }) =>
    fan.client.call(addReply, { params: { commentId }, body: { content: 'Thanks' } }),
  'a changed comment': ({ fan, commentId }) =>
    fan.client.call(editComment, { params: { commentId }, body: { content: 'Well heard' } }),
  'a pinned comment': ({ owner, videoId, commentId }) =>
    owner.client.call(markComment, { params: { videoId, commentId }, body: { isPinned: true } }),
  'an approved comment': ({ owner, videoId, heldId }) =>
    owner.client.call(approveComment, { params: { videoId, commentId: heldId } }),
  'a comment hidden until approved': ({ owner, videoId, commentId }) =>
    owner.client.call(holdComment, { params: { videoId, commentId } }),
  'a removed comment': ({ owner, videoId, commentId }) =>
    owner.client.call(removeComment, { params: { videoId, commentId } }),
  'a restored comment': ({ fan, videoId, deletedId }) =>
    fan.client.call(restoreComment, { params: { videoId, commentId: deletedId } }),
  'a deleted comment': ({ fan, videoId, commentId }) =>
    fan.client.call(deleteComment, { params: { videoId, commentId } }),
  'a subscription': ({ fan, owner }) =>
    fan.client.call(toggleSubscription, { params: { username: owner.user.username } }),
  'a new name': ({ owner }) => owner.client.call(updateDetails, { body: { fullname: 'Grey Heron' } }),
  'a new profile picture': async ({ owner, picture }) =>
    owner.client.patch('/api/v1/users/updateavatar', await picture('avatar')),
  'a new title': ({ owner, videoId }) =>
    owner.client.call(updateVideo, { params: { id: videoId }, body: { title: 'Heron at dawn' } }),
  'a new thumbnail': async ({ owner, videoId, picture }) =>
    owner.client.put(`/api/v1/studio/videos/${videoId}/thumbnail`, await picture('thumbnail')),
  'a replaced file': async ({ owner, videoId }) => {
    const file = await drawClip('mp4')
    const path = await begin(owner.client, file.length)
    await append(owner.client, path, 0, file)
    const body = { uploadId: path.split('/').at(-1) ?? '' }
    await owner.client.call(replaceFile, { params: { id: videoId }, body })
  },
  'deleted captions': ({ owner, videoId, captionsId }) =>
    owner.client.call(deleteCaptions, { params: { id: videoId, captionsId } }),
  'another visibility': ({ owner, videoId }) =>
    owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'private' } }),
  'an intro': async ({ owner }) => {
    const introId = await addVideo(site, owner.user._id, { durationSeconds: 6 })
    await owner.client.call(putChannelIntros, { body: { introId, outroId: null } })
  },
  'a takedown': ({ videoId }) => takeDown(site.context, videoId, 'a complaint'),
  'a deletion': ({ owner, videoId }) => owner.client.call(deleteVideo, { params: { id: videoId } }),
  'a deletion in the studio': ({ owner, videoId }) =>
    owner.client.call(deleteOwnVideos, { body: { ids: [videoId] } }),
  'the end of an account': ({ owner }) =>
    owner.client.call(deleteAccount, { body: { password: testPassword } }),
}

test.each(Object.keys(writes))('%s shows to everybody in the next response of the process', async (name) => {
  const scene = await createScene()
  const { visitor, member, videoId } = scene
  const before = await Promise.all([read(visitor, videoId), read(member.client, videoId)])
  await writes[name]?.(scene)
  const after = await Promise.all([read(visitor, videoId), read(member.client, videoId)])
  expect(after).not.toEqual(before)
  // read from the database, because writers elsewhere bypass the cache
  const bypassing = [visitor, member.client].map((client) => {
    const bypass = client.at(site.origin)
    bypass.cookies.set('wrote-elsewhere', '1')
    return read(bypass, videoId)
  })
  expect(after).toEqual(await Promise.all(bypassing))
})

test.each([
  ['of one URL', () => 'limit=17'],
  ['that differ in unknown parameters', (n: number) => `z=${n}&limit=18`],
  ['that spell a parameter differently', (n: number) => `limit=${'0'.repeat(n)}19`],
])('concurrent requests %s cost one read', async (_, queryOf) => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const countReads = async () => {
    const text = await (await site.client().fetch('/metrics', { headers })).text()
    return Number(/kinora_public_reads_total\{server="primary"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  const before = await countReads()
  const client = site.client()
  const responses = Array.from({ length: 100 }, (__, n) => client.get(`/api/v1/video/all?${queryOf(n)}`))
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(responses.map(() => 200))
  // one more for each second that all of them take on a busy machine
  expect((await countReads()) - before).toBeLessThanOrEqual(3)
})

const viewsFor = async (client: TestClient, id: string) =>
  (await client.call(getVideo, { params: { id } }))[0]?.views

test('other processes show a write within a second, and immediately to its sender', async () => {
  const { user, client } = await signUp(site)
  const id = await addVideo(site, user._id)
  const stranger = other.client()
  for (let views = 2; views <= 20; views += 2) {
    const sender = client.at(site.origin)
    await Promise.all([viewsFor(stranger, id), viewsFor(site.client(), id)])
    await sender.call(recordView, { params: { id } })
    const elsewhere = sender.at(other.origin)
    expect(await viewsFor(elsewhere, id)).toBe(views - 1)
    // after writes through two processes, neither may use its cache
    await elsewhere.call(recordView, { params: { id } })
    expect(await viewsFor(elsewhere, id)).toBe(views)
    expect(await viewsFor(elsewhere.at(site.origin), id)).toBe(views)
  }
  await expect.poll(() => viewsFor(stranger, id), { interval: 50 }).toBe(20)
})

test('a takedown shows in other processes within a second', async () => {
  const { videoId } = await createScene()
  const visitor = other.client()
  const statuses = async () => {
    const { items } = await visitor.call(listVideos, {})
    const sitemap = await (await visitor.fetch('/sitemap.xml')).text()
    return [
      (await visitor.get(`/api/v1/video/${videoId}`)).status,
      (await visitor.get(`/api/v1/comment/get/${videoId}`)).status,
      (await visitor.get(`/video/${videoId}`)).status,
      items.some(({ _id }) => _id === videoId),
      sitemap.includes(videoId),
    ]
  }
  const within = { interval: 50 }
  const [shown, hidden] = [
    [200, 200, 200, true, true],
    [404, 404, 404, false, false],
  ]
  expect(await statuses()).toEqual(shown)
  await takeDown(site.context, videoId, 'a complaint')
  await expect.poll(statuses, within).toEqual(hidden)
  await reinstate(site.context, videoId)
  await expect.poll(statuses, within).toEqual(shown)
})

test('viewers do not get responses of other viewers', async () => {
  const { fan, member, videoId, commentId, visitor } = await createScene()
  await fan.client.call(toggleCommentLike, { params: { commentId } })
  const liked = async (client: TestClient) =>
    (await client.call(listComments, { params: { videoId } })).items.map((comment) => comment.liked)
  for (let round = 0; round < 3; round += 1)
    expect(await Promise.all([fan.client, visitor, member.client].map(liked))).toEqual([
      [true],
      [false],
      [false],
    ])
})

test('long URLs count towards the size of the cache', async () => {
  const { responseCache } = createWebContext(site.context)
  const url = `/api/v1/video/all?${'x'.repeat(17 * 1024 ** 2)}`
  await responseCache.get(url, [], async () => TextResponse.json({}))
  expect(responseCache.has(url)).toBe(false)
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
