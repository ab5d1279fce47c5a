import { openShareLink, recordSharedView } from '@kinora/contract/videos/share-links.ts'
import { changeOwnVideo, getOwnVideo } from '@kinora/contract/videos/studio.ts'
import {
  addToPlaylist,
  createPlaylist,
  listOwnPlaylists,
  listPlaylistEntries,
  removeFromPlaylist,
} from '@kinora/contract/watching/playlists.ts'
import {
  createPlaylistLink,
  deletePlaylistLink,
  getSharedPlaylist,
  getSharedVideo,
  listPlaylistLinks,
  listSharedEntries,
} from '@kinora/contract/watching/shared-playlists.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
/** A private video with a file. */
let clipId: string

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' }, constants: { loginsPerMinute: 3 } })
  owner = await signUp(site)
  clipId = await publishPrivate('lesson.mp4', owner)
})
afterAll(() => site.close())

async function publishPrivate(file: string, { user, client }: typeof owner): Promise<string> {
  const { id } = await publishSource(site, file, h264, '64x36')
  await site.db.updateTable('videos').set({ ownerId: user._id }).where('id', '=', id).execute()
  await client.call(changeOwnVideo, { params: { id }, body: { visibility: 'private' } })
  return id
}

async function createList(videoIds: readonly string[]): Promise<string> {
  const { _id: playlistId } = await owner.client.call(createPlaylist, { body: { title: 'Fractions' } })
  for (const videoId of videoIds) await owner.client.call(addToPlaylist, { params: { playlistId, videoId } })
  return playlistId
}
const link = (playlistId: string, more: { password?: string; allowsDownload?: boolean } = {}) =>
  owner.client.call(createPlaylistLink, { params: { playlistId }, body: { name: 'Class 4b', ...more } })
/** A browser without an account. */
const visitor = () => site.client()
const open = (secret: string, password?: string) =>
  visitor().call(openShareLink, { body: { secret, ...(password && { password }) } })
async function statusOf(path: string): Promise<number> {
  const response = await visitor().fetch(path)
  await response.arrayBuffer()
  return response.status
}
const idsOf = async (visit: string) =>
  (await visitor().call(listSharedEntries, { body: { visit } })).items.map(({ video }) => video._id)

test('opens the videos of a private playlist that are its owner’s or for everybody', async () => {
  const other = await signUp(site)
  const theirs = await addVideo(site, other.user._id, { title: 'Open' })
  const hidden = await publishPrivate('hidden.mp4', other)
  const outside = await publishPrivate('outside.mp4', owner)
  // the owner of the playlist may see it, and does not share it
  await site.db.insertInto('videoViewers').values({ videoId: hidden, userId: owner.user._id }).execute()
  const playlistId = await createList([clipId, hidden, theirs])
  const { secret } = await link(playlistId)
  const { visit, video } = await open(secret)
  expect(video).toBeNull()
  expect(await visitor().call(getSharedPlaylist, { body: { visit } })).toMatchObject({
    title: 'Fractions',
    videosCount: 2,
    owner: { username: owner.user.username },
  })
  expect(await idsOf(visit)).toEqual([clipId, theirs])
  const pages = await visitor().call(listSharedEntries, { query: { limit: 1 }, body: { visit } })
  expect(pages.items).toHaveLength(1)
  const cursor = pages.nextCursor ?? ''
  const rest = await visitor().call(listSharedEntries, { query: { limit: 1, cursor }, body: { visit } })
  expect([rest.items[0]?.video._id, rest.nextCursor]).toEqual([theirs, null])
  const shared = (videoId: string) => visitor().call(getSharedVideo, { body: { visit, videoId } })
  const { streamUrl, videoFile } = await shared(clipId)
  expect([await statusOf(streamUrl), videoFile]).toEqual([200, null])
  expect(await statusOf(streamUrl.replace(`/shared/${visit}`, ''))).toBe(404)
  for (const id of [hidden, outside]) {
    await expect(shared(id)).rejects.toMatchObject({ status: 404, reason: 'shared_video_unlisted' })
    expect(await statusOf(`/media/shared/${visit}/videos/${id}/master.m3u8`)).toBe(404)
  }
})

test('closes a video that leaves the playlist, or whose owner changes', async () => {
  const playlistId = await createList([clipId])
  const { visit } = await open((await link(playlistId)).secret)
  const { streamUrl } = await visitor().call(getSharedVideo, { body: { visit, videoId: clipId } })
  const other = await signUp(site)
  const give = (ownerId: string) =>
    site.db.updateTable('videos').set({ ownerId }).where('id', '=', clipId).execute()
  await give(other.user._id)
  expect([await statusOf(streamUrl), await idsOf(visit)]).toEqual([404, []])
  await give(owner.user._id)
  expect(await statusOf(streamUrl)).toBe(200)
  const { items } = await owner.client.call(listPlaylistEntries, { params: { playlistId } })
  await owner.client.call(removeFromPlaylist, { params: { playlistId, entryId: items[0]?._id ?? '' } })
  expect([await statusOf(streamUrl), await idsOf(visit)]).toEqual([404, []])
})

test('is protected by a password, allows downloads of own videos, counts views, and ends when it is revoked', async () => {
  const playlistId = await createList([clipId])
  const { secret, _id: linkId } = await link(playlistId, { password: 'seagull', allowsDownload: true })
  await expect(open(secret)).rejects.toMatchObject({ reason: 'share_password_required' })
  await expect(open(secret, 'gull')).rejects.toMatchObject({ reason: 'share_password_wrong' })
  const { visit } = await open(secret, 'seagull')
  const video = await visitor().call(getSharedVideo, { body: { visit, videoId: clipId } })
  expect(await statusOf(video.videoFile ?? '')).toBe(200)
  const views = async () => (await owner.client.call(getOwnVideo, { params: { id: clipId } })).views
  const before = await views()
  const played = { visit, videoId: clipId }
  await visitor().call(recordSharedView, { body: played })
  expect(await views()).toBe(before + 1)
  const params = { playlistId }
  expect(await owner.client.call(listPlaylistLinks, { params })).toMatchObject([{ _id: linkId, viewers: 1 }])
  await owner.client.call(deletePlaylistLink, { params: { playlistId, linkId } })
  expect([await statusOf(video.streamUrl), await statusOf(video.videoFile ?? '')]).toEqual([404, 404])
  for (const refused of [
    () => open(secret, 'seagull'),
    () => visitor().call(getSharedPlaylist, { body: { visit } }),
    () => visitor().call(listSharedEntries, { body: { visit } }),
    () => visitor().call(getSharedVideo, { body: played }),
    () => visitor().call(recordSharedView, { body: played }),
  ])
    await expect(refused()).rejects.toMatchObject({ reason: 'share_link_gone' })
})

test('Watch later cannot be shared, and a playlist only by its owner', async () => {
  const lists = await owner.client.call(listOwnPlaylists, {})
  const later = lists.find(({ isWatchLater }) => isWatchLater)
  await expect(link(later?._id ?? '')).rejects.toMatchObject({ reason: 'watch_later_fixed' })
  const { client } = await signUp(site)
  const params = { playlistId: await createList([]) }
  await expect(client.call(listPlaylistLinks, { params })).rejects.toMatchObject({ status: 404 })
})

test('a link to a video opens no playlist', async () => {
  const playlistId = await createList([clipId])
  const { secret, _id } = await link(playlistId)
  await site.db
    .updateTable('shareLinks')
    .set({ videoId: clipId, playlistId: null })
    .where('id', '=', _id)
    .execute()
  const { visit, video } = await open(secret)
  expect(video?._id).toBe(clipId)
  await expect(visitor().call(getSharedPlaylist, { body: { visit } })).rejects.toMatchObject({ status: 404 })
})
