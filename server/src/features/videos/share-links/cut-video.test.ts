import { putCut } from '@kinora/contract/videos/cuts.ts'
import { createShareLink, openLockedVideo, openShareLink } from '@kinora/contract/videos/share-links.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { addToPlaylist, createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { createPlaylistLink, getSharedVideo } from '@kinora/contract/watching/shared-playlists.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { getVideo } from '../videos/queries/videos.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let id: string
/** Addresses of before the cut, and of the whole file, without `/media/`. */
let whole: string[]

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  owner = await signUp(site)
  ;({ id } = await publishSource(site, 'lesson.mp4', h264, '64x36'))
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  await owner.client.call(changeOwnVideo, { params: { id }, body: { visibility: 'private' } })
  const { videoFile } = await getVideo(site.db, id, owner.user._id)
  const file = videoFile.replace('/media/', '')
  const cut = await owner.client.call(putCut, {
    params: { id },
    body: { keep: [{ startSeconds: 3, endSeconds: 5 }] },
  })
  const uncutMaster = cut.uncutStreamUrl.replace('/media/', '')
  whole = [
    file,
    file.replace(`/${id}/`, `/${id}/uncut/`),
    `videos/${id}/source.mp4`,
    uncutMaster,
    uncutMaster.replace('master.m3u8', `${SEGMENT_FORMAT}/source/init.mp4`),
    uncutMaster.replace('master.m3u8', `${SEGMENT_FORMAT}/source/0.m4s`),
    `videos/${id}/${SEGMENT_FORMAT}/source/0.m4s`,
    `videos/${id}/${SEGMENT_FORMAT}/36/0.m4s`,
  ]
})
afterAll(() => site.close())

async function statusOf(path: string, client = site.client()): Promise<number> {
  const response = await client.fetch(path)
  await response.arrayBuffer()
  return response.status
}

const link = { name: 'Class 4b', allowsDownload: true }

/** How somebody without an account opens the video, by links that allow downloads. */
const ways = {
  'a link': async () => {
    const { secret } = await owner.client.call(createShareLink, { params: { id }, body: link })
    return site.client().call(openShareLink, { body: { secret } })
  },
  'the link of a lock': async () => {
    const password = 'seagull'
    const body = { ...link, password, isListed: true }
    await owner.client.call(createShareLink, { params: { id }, body })
    return site.client().call(openLockedVideo, { params: { id }, body: { password } })
  },
  'a link to a playlist': async () => {
    const { _id: playlistId } = await owner.client.call(createPlaylist, { body: { title: 'Lessons' } })
    await owner.client.call(addToPlaylist, { params: { playlistId, videoId: id } })
    const { secret } = await owner.client.call(createPlaylistLink, { params: { playlistId }, body: link })
    const { visit } = await site.client().call(openShareLink, { body: { secret } })
    return { visit, video: await site.client().call(getSharedVideo, { body: { visit, videoId: id } }) }
  },
}

test.for(Object.entries(ways))('gives nothing that was cut of a video by %s', async ([, open]) => {
  const { visit, video } = await open()
  expect(video?.videoFile).toBeNull()
  expect(video?.duration).toBeLessThan(2.2)
  expect(await statusOf(video?.streamUrl ?? '')).toBe(200)
  for (const path of whole)
    for (const address of [`/media/shared/${visit}/${path}`, `/media/${path}`])
      expect([address, await statusOf(address)]).toEqual([address, 404])
})

test('gives the whole file to those who edit the video alone', async () => {
  const member = await signUp(site)
  const uncut = whole.filter((path) => path.includes('/uncut/'))
  for (const path of uncut) {
    expect([path, await statusOf(`/media/${path}`, member.client)]).toEqual([path, 404])
    expect([path, await statusOf(`/media/${path}`, owner.client)]).toEqual([path, 200])
  }
})
