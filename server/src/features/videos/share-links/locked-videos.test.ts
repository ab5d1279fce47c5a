import {
  createShareLink,
  deleteShareLink,
  getLockedVideo,
  listLockedVideos,
  openLockedVideo,
} from '@kinora/contract/videos/share-links.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { listVideos } from '@kinora/contract/videos/videos.ts'
import { searchVideos } from '@kinora/contract/watching/search.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { getVideo } from '../videos/queries/videos.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let other: Awaited<ReturnType<typeof signUp>>
let id: string
let thumbnail: string

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' }, constants: { loginsPerMinute: 3 } })
  ;[owner, other] = [await signUp(site), await signUp(site)]
  ;({ id } = await publishSource(site, 'lesson.mp4', h264, '64x36'))
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  await change({ visibility: 'private', title: 'Quokka lesson', description: 'Only for the class' })
  ;({ thumbnail } = await getVideo(site.db, id, owner.user._id))
  await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
})
afterAll(() => site.close())

const change = (body: object) => owner.client.call(changeOwnVideo, { params: { id }, body })
const lock = (more: { password?: string; showsPicture?: boolean } = { password: 'seagull' }) =>
  owner.client.call(createShareLink, { params: { id }, body: { name: 'Class 4b', isListed: true, ...more } })
const revoke = (linkId: string) => owner.client.call(deleteShareLink, { params: { id, linkId } })
const listed = async (client = site.client(), query = {}) =>
  (await client.call(listLockedVideos, { query })).items
const open = (password: string) => site.client().call(openLockedVideo, { params: { id }, body: { password } })
async function statusOf(path: string): Promise<number> {
  const response = await site.client().fetch(path)
  await response.arrayBuffer()
  return response.status
}

test('is listed with its title alone, and opens by its password for as long as the link lives', async () => {
  const { _id } = await lock()
  const card = { _id: id, title: 'Quokka lesson', thumbnail: null, videoOwner: expect.anything() as unknown }
  expect(await listed()).toEqual([card])
  expect(await listed(other.client, { username: owner.user.username })).toEqual([card])
  expect(await listed(other.client, { username: other.user.username })).toEqual([])
  // its owner sees it where it is
  expect(await listed(owner.client)).toEqual([])
  expect(await site.client().call(getLockedVideo, { params: { id } })).toEqual(card)
  expect([await statusOf(thumbnail), await statusOf(`/media/videos/${id}/master.m3u8`)]).toEqual([404, 404])
  await expect(open('')).rejects.toMatchObject({ reason: 'share_password_required' })
  const { visit, video } = await open('seagull')
  expect(await statusOf(video?.streamUrl ?? '')).toBe(200)
  expect(await statusOf(video?.thumbnail ?? '')).toBe(200)
  await revoke(_id)
  expect([await listed(), await statusOf(video?.streamUrl ?? '')]).toEqual([[], 404])
  await expect(
    site.client().call(openLockedVideo, { params: { id }, body: { visit } }),
  ).rejects.toMatchObject({ reason: 'share_link_gone' })
  await expect(site.client().call(getLockedVideo, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('is in no other list, page, feed, sitemap or preview', async () => {
  const { _id } = await lock({ password: 'seagull', showsPicture: true })
  const visitor = site.client()
  const texts = await Promise.all(
    [
      '/',
      '/rss.xml',
      '/sitemap.xml',
      `/video/${id}`,
      `/locked/${id}`,
      `/oembed?url=${encodeURIComponent(`${site.origin}/video/${id}`)}`,
      `/feeds/channels/${owner.user.username}`,
    ].map(async (path) => (await visitor.get(path)).text),
  )
  expect(texts.filter((text) => text.includes('Quokka') || text.includes(thumbnail))).toEqual([])
  expect(JSON.stringify(await visitor.call(listVideos, {}))).not.toContain(id)
  const found = await visitor.call(searchVideos, { params: { term: 'quokka' }, query: {} })
  expect(JSON.stringify(found)).not.toContain(id)
  await revoke(_id)
})

test('shows its picture if the owner chooses so, but never a sensitive one', async () => {
  const { _id } = await lock({ password: 'seagull', showsPicture: true })
  expect([(await listed())[0]?.thumbnail, await statusOf(thumbnail)]).toEqual([thumbnail, 200])
  await change({ sensitiveReason: 'Surgery' })
  expect([(await listed())[0]?.thumbnail ?? null, await statusOf(thumbnail)]).toEqual([null, 404])
  await change({ sensitiveReason: null })
  await site.db.updateTable('videos').set({ takedownReason: 'Not ours' }).where('id', '=', id).execute()
  expect([await listed(), await statusOf(thumbnail)]).toEqual([[], 404])
  await site.db.updateTable('videos').set({ takedownReason: null }).where('id', '=', id).execute()
  await revoke(_id)
  expect(await statusOf(thumbnail)).toBe(404)
})

test('needs a password, one link, and a video whose address does not open it', async () => {
  await expect(lock({})).rejects.toMatchObject({ reason: 'lock_needs_password' })
  const { _id } = await lock()
  await expect(lock()).rejects.toMatchObject({ reason: 'lock_exists' })
  await change({ visibility: 'unlisted' })
  expect(await listed()).toEqual([])
  await revoke(_id)
  await expect(lock()).rejects.toMatchObject({ reason: 'lock_of_open_video' })
  // members watch it, visitors see the lock
  await change({ visibility: 'members' })
  const { _id: second } = await lock()
  expect([(await listed()).length, (await listed(other.client)).length]).toEqual([1, 0])
  await change({ visibility: 'private' })
  await revoke(second)
})

test('limits wrong passwords like those of links', async () => {
  const { _id } = await lock()
  const refusals: unknown[] = []
  for (let attempt = 0; attempt < 4; attempt += 1)
    refusals.push(await open(`gull${attempt}`).catch((error: unknown) => error))
  expect(refusals[0]).toMatchObject({ reason: 'share_password_wrong' })
  expect(refusals.at(-1)).toMatchObject({ code: 'too_many_requests' })
  await expect(open('seagull')).rejects.toMatchObject({ code: 'too_many_requests' })
  await revoke(_id)
})
