import { deleteCut, getCut, putCut } from '@kinora/contract/videos/cuts.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { getPosition, putPosition } from '@kinora/contract/watching/history.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { newId } from '@kinora/platform/ids.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { insertCaptions } from '../captions/queries.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
})
afterAll(() => site.close())

const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })

/** A video of ten seconds of the owner. */
async function publish(args = h264, name = 'tide.mp4'): Promise<string> {
  const { id } = await publishSource(site, name, args)
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  return id
}

test('publishes a cut on the grid of frames, and undoes it', async () => {
  const id = await publish()
  const duration = async () => {
    const [video] = await site.client().call(getVideo, { params: { id } })
    return video?.duration
  }
  const whole = await owner.client.call(getCut, { params: { id } })
  expect(whole).toMatchObject({ publishedAt: null, keep: [range(0, whole.sourceDurationSeconds)] })
  const keep = [range(0.51, 1.3), range(1.9, 2.502)]
  const cut = await owner.client.call(putCut, { params: { id }, body: { keep } })
  const frame = 1 / cut.framesPerSecond
  for (const { startSeconds, endSeconds } of cut.keep)
    for (const seconds of [startSeconds, endSeconds]) expect((seconds / frame) % 1).toBeCloseTo(0, 3)
  expect(cut.durationSeconds).toBeCloseTo(1.4, 1)
  expect(cut.publishedAt).not.toBeNull()
  expect(await duration()).toBeCloseTo(cut.durationSeconds, 3)
  expect(await owner.client.call(getCut, { params: { id } })).toEqual(cut)
  expect(await owner.client.call(deleteCut, { params: { id } })).toEqual({
    ...whole,
    changedAt: expect.any(String),
  })
  expect(await duration()).toBe(whole.durationSeconds)
})

test('ends the cut when everything is kept', async () => {
  const id = await publish()
  await owner.client.call(putCut, { params: { id }, body: { keep: [range(0, 1)] } })
  const { sourceDurationSeconds } = await owner.client.call(getCut, { params: { id } })
  const keep = [range(0, 1), range(1, sourceDurationSeconds)]
  expect(await owner.client.call(putCut, { params: { id }, body: { keep } })).toMatchObject({
    publishedAt: null,
  })
})

test('neither replaces nor ends a cut that its editor has not seen', async () => {
  const id = await publish()
  const put = (end: number, changedAt: string | null) =>
    owner.client.put(`/api/v1/videos/${id}/cut`, { keep: [range(0, end)], changedAt })
  const first = await put(2, null)
  expect(first.status).toBe(200)
  const { changedAt } = await owner.client.call(getCut, { params: { id } })
  expect(changedAt).not.toBeNull()
  expect(await put(1, null)).toMatchObject({ status: 409, body: { reason: 'cut_changed' } })
  // a request that is repeated
  expect((await put(2, null)).status).toBe(200)
  site.clock.advance(1000)
  expect((await put(1, changedAt)).status).toBe(200)
  const ended = owner.client.call(deleteCut, { params: { id }, query: { changedAt: changedAt ?? '' } })
  await expect(ended).rejects.toMatchObject({ status: 409, reason: 'cut_changed' })
  const current = await owner.client.call(getCut, { params: { id } })
  const query = { changedAt: current.changedAt ?? '' }
  expect(await owner.client.call(deleteCut, { params: { id }, query })).toMatchObject({ publishedAt: null })
})

test.for([
  ['out of order', [range(1, 2), range(0, 0.5)], 'cut_order'],
  ['overlapping', [range(0, 1.5), range(1, 2)], 'cut_order'],
  ['after the end', [range(0, 400)], 'cut_beyond_end'],
  ['of a moment', [range(0, 0.05), range(1, 2.5)], 'cut_range_too_short'],
  ['of less than a second', [range(0, 0.5)], 'cut_too_short'],
] as const)('rejects ranges %s', async ([, keep, reason]) => {
  const id = await publish()
  const { status, body } = await owner.client.put(`/api/v1/videos/${id}/cut`, { keep })
  expect([status, body.reason]).toEqual([400, reason])
})

test('moves captions, chapters and positions to what viewers see, and back', async () => {
  const id = await publish()
  const cues = [
    [0, 1, 'before'],
    [1.5, 2.5, 'across'],
    [4, 4.5, 'removed'],
    [6, 7, 'after'],
  ] as const
  const lines = cues.map(
    ([from, to, text]) => `00:00:0${from.toFixed(3)} --> 00:00:0${to.toFixed(3)}\n${text}`,
  )
  const captionsId = newId()
  const content = `WEBVTT\n\n${lines.join('\n\n')}\n`
  await insertCaptions(site.db, { id: captionsId, videoId: id, language: 'en', label: 'English', content })
  await owner.client.call(putPosition, { params: { videoId: id }, body: { positionSeconds: 6.5 } })
  const shown = async () => {
    const [video] = await owner.client.call(getVideo, { params: { id } })
    const { positionSeconds } = await owner.client.call(getPosition, { params: { videoId: id } })
    const url = video?.captions[0]?.url ?? ''
    return { url, video, positionSeconds, vtt: (await site.client().get(url)).text }
  }
  const before = await shown()
  expect(before.vtt).toBe(content)
  const keep = [range(0, 2), range(5, 10)]
  await owner.client.call(putCut, { params: { id }, body: { keep } })
  const cut = await shown()
  expect(cut.positionSeconds).toBeCloseTo(3.5)
  expect(cut.vtt).toContain('00:00:03.000 --> 00:00:04.000\nafter')
  expect(cut.vtt).not.toContain('removed')
  expect((await site.client().get(before.url)).status).toBe(404)

  // a position of the cut is at the same place after it
  await owner.client.call(putPosition, { params: { videoId: id }, body: { positionSeconds: 2.5 } })
  await owner.client.call(deleteCut, { params: { id } })
  const after = await shown()
  expect(after.positionSeconds).toBeCloseTo(5.5)
  // that of a page that still plays the cut is at another place
  const playing = { positionSeconds: 6, durationSeconds: 7 }
  await owner.client.call(putPosition, { params: { videoId: id }, body: playing })
  expect((await shown()).positionSeconds).toBeCloseTo(5.5)
  expect([after.url, after.vtt]).toEqual([before.url, content])
})

test('shows the chapters of a description at the times of the cut', async () => {
  const id = await publish()
  const chapters = async () => {
    const [video] = await site.client().call(getVideo, { params: { id } })
    return video?.chapters.map(({ title, startSeconds }) => [title, startSeconds])
  }
  const describe = (description: string) =>
    owner.client.call(changeOwnVideo, { params: { id }, body: { description } })
  await describe('0:00 One\n0:05 Two\n0:10 Three')
  await owner.client.call(putCut, { params: { id }, body: { keep: [range(2, 4), range(6, 9)] } })
  expect(await chapters()).toEqual([
    ['One', 0],
    ['Two', 2],
  ])
  // a correction moves none of them
  await describe('0:00 First\n0:05 Two\n0:10 Three')
  expect(await chapters()).toEqual([
    ['First', 0],
    ['Two', 2],
  ])
  const [video] = await site.client().call(getVideo, { params: { id } })
  expect(video?.movedTimes).toEqual([
    { written: 0, seconds: 0 },
    { written: 5, seconds: expect.closeTo(2, 1) },
    { written: 10, seconds: expect.closeTo(5, 1) },
  ])
})
