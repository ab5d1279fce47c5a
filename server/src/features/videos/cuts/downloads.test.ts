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

async function publishCutVideo(name = 'tide.mp4', args = h264, size = '320x180', kept = keep) {
  const { id, bytes } = await publishSource(site, name, args, size)
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  const cut = await owner.client.call(putCut, { params: { id }, body: { keep: kept } })
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

/** Megabytes, of which the buffers of a connection hold a small part. */
const large = '-vf noise=alls=80:allf=t -c:v libx264 -preset veryfast -crf 22 -pix_fmt yuv420p -g 12 -c:a aac'

/** Reads a download to its end. */
async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>, first: Uint8Array[] = []) {
  const parts = [...first]
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { bytes: Buffer.concat(parts), isWhole: true }
      parts.push(value)
    }
  } catch {
    return { bytes: Buffer.concat(parts), isWhole: false }
  }
}

const ends: [string, (id: string) => Promise<unknown>][] = [
  [
    'is hidden',
    (id) => owner.client.call(changeOwnVideo, { params: { id }, body: { visibility: 'private' } }),
  ],
  ['may not be downloaded any more', (id) => allow(id, false)],
  ['is cut again', (id) => owner.client.call(putCut, { params: { id }, body: { keep: [range(1, 3)] } })],
  ['is not cut any more', (id) => owner.client.call(deleteCut, { params: { id } })],
]

test.for(ends)(
  'ends a transfer once the video %s, and sends nothing of what came later',
  { timeout: 200_000 },
  async ([, change]) => {
    const { id } = await publishCutVideo('noise.mp4', large, '640x360', [range(0, 4.2), range(4.4, 10)])
    await allow(id, true)
    const address = await fileOf(id)
    const open = async () => {
      const { body } = await site.client().fetch(address)
      if (!body) throw new Error('The download has no body')
      return body.getReader()
    }
    const whole = await readRest(await open())
    expect(whole.isWhole).toBe(true)
    expect(whole.bytes.length).toBeGreaterThan(16_000_000)
    const reader = await open()
    const { value } = await reader.read()
    await change(id)
    const { bytes, isWhole } = await readRest(reader, value ? [value] : [])
    expect(isWhole).toBe(false)
    expect(bytes.length).toBeLessThan(whole.bytes.length / 2)
    // The sent bytes are the beginning of the file, in order.
    expect(bytes.equals(whole.bytes.subarray(0, bytes.length))).toBe(true)
    expect(await statusOf(address)).toBe(404)
  },
)

test('has no ranges, and no length before it is written', async () => {
  const { id } = await publishCutVideo()
  await allow(id, true)
  const response = await site.client().fetch(await fileOf(id), { headers: { range: 'bytes=10-19' } })
  const { headers, status } = response
  await response.body?.cancel()
  expect(status).toBe(200)
  expect([headers.get('accept-ranges'), headers.get('content-length'), headers.get('content-range')]).toEqual(
    ['none', null, null],
  )
})

test('gives those who edit the video the file as it is', async () => {
  const { id, bytes } = await publishCutVideo()
  const { videoFile } = await owner.client.call(getOwnVideo, { params: { id } })
  const response = await owner.client.fetch(videoFile)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  expect(await statusOf(videoFile)).toBe(404)
})
