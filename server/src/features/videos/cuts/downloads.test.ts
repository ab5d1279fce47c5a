import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deleteCut, putCut } from '@kinora/contract/videos/cuts.ts'
import { createShareLink, openShareLink } from '@kinora/contract/videos/share-links.ts'
import { changeOwnVideo, getOwnVideo } from '@kinora/contract/videos/studio.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let directory: string

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { SEGMENT_WAIT_SECONDS: '100' } })
  owner = await signUp(site)
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-downloads-'))
})
afterAll(async () => {
  await site.close()
  await rm(directory, { recursive: true, force: true })
})

const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })
const keep = [range(1, 3), range(4.2, 9)]

async function publishCutVideo(name = 'tide.mp4', args = h264) {
  const { id, bytes } = await publishSource(site, name, args, '320x180')
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  const cut = await owner.client.call(putCut, { params: { id }, body: { keep } })
  return { id, bytes, cut }
}

const allow = (id: string, downloadsAllowed: boolean) =>
  owner.client.call(changeOwnVideo, { params: { id }, body: { downloadsAllowed } })

async function fileOf(id: string, client = site.client()): Promise<string> {
  const [video] = await client.call(getVideo, { params: { id } })
  return video?.downloadFile ?? ''
}

async function statusOf(address: string, client = site.client()): Promise<number> {
  const { status } = await client.fetch(address, { method: 'HEAD' })
  return status
}

test.for([
  ['tide.mp4', h264],
  ['tide.webm', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 60 -c:a libopus'],
] as const)('sends an MP4 of what viewers see of %s', { timeout: 200_000 }, async ([name, args]) => {
  const { id, cut } = await publishCutVideo(name, args)
  await allow(id, true)
  const response = await site.client().fetch(await fileOf(id))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('video/mp4')
  const file = path.join(directory, `${id}.mp4`)
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  const info = await probe({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, file)
  expect(info.durationSeconds).toBeCloseTo(cut.durationSeconds, 1)
  expect([info.video.codec, info.audio.map(({ codec }) => codec)]).toEqual(['h264', ['aac']])
})

test('is for those who may download the video', async () => {
  const { id } = await publishCutVideo()
  const member = await signUp(site)
  const address = await fileOf(id)
  expect([await statusOf(address), await statusOf(address, member.client)]).toEqual([404, 404])
  expect(await statusOf(address, owner.client)).toBe(200)
  await allow(id, true)
  expect(await statusOf(address)).toBe(200)
  await owner.client.call(changeOwnVideo, { params: { id }, body: { visibility: 'private' } })
  expect([await statusOf(address), await statusOf(address, member.client)]).toEqual([404, 404])
  expect(await statusOf(address, owner.client)).toBe(200)
})

test.for([true, false])('is for viewers of a share link if that allows it: %s', async (allowsDownload) => {
  const { id } = await publishCutVideo()
  await owner.client.call(changeOwnVideo, { params: { id }, body: { visibility: 'private' } })
  const body = { name: 'Class 4b', allowsDownload }
  const { secret } = await owner.client.call(createShareLink, { params: { id }, body })
  const { visit, video } = await site.client().call(openShareLink, { body: { secret } })
  expect(video).toMatchObject({ videoFile: null, downloadsAllowed: allowsDownload })
  const own = await fileOf(id, owner.client)
  const shared = own.replace('/media/', `/media/shared/${visit}/`)
  expect(video?.downloadFile).toBe(allowsDownload ? shared : undefined)
  expect(await statusOf(shared)).toBe(allowsDownload ? 200 : 404)
  const other = await publishCutVideo()
  const elsewhere = (await fileOf(other.id)).replace('/media/', `/media/shared/${visit}/`)
  expect(await statusOf(elsewhere)).toBe(404)
})

test('has another address in each cut', async () => {
  const { id } = await publishCutVideo()
  await allow(id, true)
  const first = await fileOf(id)
  await owner.client.call(putCut, { params: { id }, body: { keep: [range(2, 5)] } })
  const second = await fileOf(id)
  expect(second).not.toBe(first)
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
  await owner.client.call(deleteCut, { params: { id } })
  expect(await fileOf(id)).toBe('')
  expect(await statusOf(second)).toBe(404)
})

test('gives those who edit the video the file as it is', async () => {
  const { id, bytes } = await publishCutVideo()
  const { videoFile } = await owner.client.call(getOwnVideo, { params: { id } })
  const response = await owner.client.fetch(videoFile)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  expect(await statusOf(videoFile)).toBe(404)
})
