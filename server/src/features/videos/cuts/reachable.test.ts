import { deleteCut, getCut, putCut } from '@kinora/contract/videos/cuts.ts'
import { FragmentReader, readTimescale } from '@kinora/media/containers/mp4/fmp4.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { urisOf } from '../../../testing/fixtures/read-tracks.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { SEGMENT_WAIT_SECONDS: '100' } })
  owner = await signUp(site)
})
afterAll(() => site.close())

const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })

async function publish(name: string, args: string): Promise<string> {
  const { id } = await publishSource(site, name, args)
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  return id
}

type Files = Map<string, Buffer>

/** Every file that the playlists of a video lead to, by its path, read by a client. */
async function readAll(fetchFile: (path: string) => Promise<Response>, master: string): Promise<Files> {
  const files: Files = new Map()
  const pending = [master]
  for (let next = pending.shift(); next; next = pending.shift()) {
    if (files.has(next)) continue
    const response = await fetchFile(next)
    expect([next, response.status]).toEqual([next, 200])
    const bytes = Buffer.from(await response.arrayBuffer())
    files.set(next, bytes)
    const path = next
    if (path.endsWith('.m3u8'))
      pending.push(...urisOf(bytes.toString()).map((uri) => new URL(uri, site.origin + path).pathname))
  }
  return files
}

const isSegment = (path: string) => path.endsWith('.m4s')

/** Presentation times of the frames of a segment, in seconds. */
function timesOf(path: string, files: Files): number[] {
  const times: number[] = []
  const init = files.get(path.replace(/[^/]+$/, 'init.mp4'))
  const perSecond = readTimescale(init ?? Buffer.alloc(0))
  const reader = new FragmentReader(({ samples }) => times.push(...samples.map(({ pts }) => pts / perSecond)))
  reader.push(files.get(path) ?? Buffer.alloc(0))
  return times
}

test.for([
  ['tide.mp4', h264],
  ['tide.webm', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 60 -c:a libopus'],
] as const)('sends nothing that was cut of %s', { timeout: 200_000 }, async ([name, args]) => {
  const id = await publish(name, args)
  const visitor = site.client()
  const master = `/media/videos/${id}/master.m3u8`
  const before = await readAll((path) => visitor.fetch(path), master)
  const sheets = await visitor.get(`/media/videos/${id}/storyboard.vtt`)
  const old = [...before.keys(), `/media/videos/${id}/${SEGMENT_FORMAT}/storyboard2/0.jpg`]
  expect(sheets.status).toBe(200)

  const body = { keep: [range(1, 3), range(3.2, 9)] }
  const cut = await owner.client.call(putCut, { params: { id }, body })
  const after = await readAll((path) => visitor.fetch(path), master)
  for (const path of after.keys()) {
    if (!isSegment(path)) continue
    // the frames of a border are silent where they begin up to one before or after the range
    const slack = path.includes('audio') ? 0.0235 : 0.001
    for (const time of timesOf(path, after))
      expect(
        cut.keep.some(
          ({ startSeconds, endSeconds }) => time > startSeconds - slack && time < endSeconds + slack,
        ),
        `${path} has a frame at ${time}`,
      ).toBe(true)
  }
  // what was sent before is sent only where it is whole
  for (const path of old.filter((each) => !after.has(each)))
    expect([path, (await visitor.get(path)).status]).toEqual([path, 404])
  const shared = [...after.keys()].filter((path) => isSegment(path) && before.has(path))
  expect(shared.length).toBeGreaterThan(0)
  expect(shared.map((path) => after.get(path))).toEqual(shared.map((path) => before.get(path)))

  // the owner has all of it, and nobody else
  await site.storage.delete(`segments/${id}/${SEGMENT_FORMAT}/storyboard2/`)
  const sheet = `/media/videos/${id}/uncut/${SEGMENT_FORMAT}/storyboard2/0.jpg`
  expect([(await owner.client.get(sheet)).status, (await visitor.get(sheet)).status]).toEqual([200, 404])
  const uncut = await readAll((path) => owner.client.fetch(path), cut.uncutStreamUrl)
  expect(
    [...uncut]
      .filter(([path]) => isSegment(path))
      .map(([path, bytes]) => [path.replace('/uncut', ''), bytes]),
  ).toEqual([...before].filter(([path]) => isSegment(path)))
  for (const path of uncut.keys()) expect([path, (await visitor.get(path)).status]).toEqual([path, 404])

  await owner.client.call(deleteCut, { params: { id } })
  expect(await owner.client.call(getCut, { params: { id } })).toMatchObject({ publishedAt: null })
  expect(await readAll((path) => visitor.fetch(path), master)).toEqual(before)
})
