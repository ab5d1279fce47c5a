import { rename, symlink } from 'node:fs/promises'
import { listChatMessages } from '@kinora/contract/live/chat.ts'
import {
  deleteCut,
  deleteRemovedParts,
  getCut,
  keepRemovedParts,
  putCut,
} from '@kinora/contract/videos/cuts.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { getPosition, putPosition } from '@kinora/contract/watching/history.ts'
import { newId } from '@kinora/platform/ids.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { insertCaptions, putFileCaptions } from '../captions/queries.ts'
import { getPlayable } from '../playback/queries.ts'
import { reconcileHiddenMarks, showFiles } from '../videos/actions/hide-video.ts'
import { putWaiting } from '../waveforms/queries.ts'
import { applyCut } from './actions/apply-cut.ts'
import { findCutDeletion, listCutDeletions } from './queries.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  owner = await signUp(site)
})
afterAll(() => site.close())

const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })
const keep = [range(1, 3), range(4.2, 9)]
const never = new AbortController().signal

async function publishCutVideo(name = 'tide.mp4', args = h264) {
  const { id } = await publishSource(site, name, args, '320x180')
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  await owner.client.call(changeOwnVideo, {
    params: { id },
    body: { description: 'See 0:05, not 0:03. Monday 20:00, John 3:16!\n0:00 One\n0:05 Two\n0:10 Three' },
  })
  const cut = await owner.client.call(putCut, { params: { id }, body: { keep } })
  return { id, cut, publishedAt: cut.publishedAt ?? '' }
}

const begin = (id: string, publishedAt: string) =>
  owner.client.call(deleteRemovedParts, { params: { id }, body: { publishedAt } })

async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of site.storage.list(prefix)) keys.push(key)
  return keys
}

/** State of a video as viewers see it. */
async function shownOf(id: string) {
  const [video] = await site.client().call(getVideo, { params: { id } })
  const { positionSeconds } = await owner.client.call(getPosition, { params: { videoId: id } })
  const captions = await Promise.all(
    (video?.captions ?? []).map(async ({ url }) => (await site.client().get(url)).text),
  )
  return {
    captions,
    chapters: video?.chapters.map(({ title, startSeconds }) => [title, Math.floor(startSeconds)]),
    positionSeconds,
    durationSeconds: video?.duration ?? 0,
  }
}

test('makes what viewers see the file, and nothing is left of the rest', { timeout: 120_000 }, async () => {
  const { id, cut, publishedAt } = await publishCutVideo()
  const content =
    'WEBVTT\n\n00:02.000 --> 00:02.900\nkept\n\n00:03.200 --> 00:04.000\nsecret\n\n00:05.000 --> 00:06.000\nlater\n'
  await insertCaptions(site.db, { id: newId(), videoId: id, language: 'en', label: 'English', content })
  await owner.client.call(putPosition, { params: { videoId: id }, body: { positionSeconds: 4.5 } })
  for (const [title, startSeconds, endSeconds] of [
    ['seen', 2, 6],
    ['removed', 3.2, 4],
  ] as const) {
    const row = { id: newId(), videoId: id, userId: owner.user._id, title, createdAt: new Date() }
    await site.db
      .insertInto('clips')
      .values({ ...row, startSeconds, endSeconds })
      .execute()
  }
  const before = await shownOf(id)
  const old = await getPlayable(site.db, id)
  const begun = await begin(id, publishedAt)
  expect(begun.deletion).toEqual({ state: 'running', progress: 0 })
  await applyCut(site.context, id, never)

  const file = await owner.client.call(getCut, { params: { id } })
  expect(file).toMatchObject({ publishedAt: null, deletion: null, keep: [range(0, file.durationSeconds)] })
  expect(file.sourceDurationSeconds).toBeCloseTo(cut.durationSeconds, 1)
  const after = await shownOf(id)
  expect(after.durationSeconds).toBeCloseTo(before.durationSeconds, 1)
  expect(after.positionSeconds).toBeCloseTo(before.positionSeconds, 3)
  expect([after.captions, after.chapters]).toEqual([before.captions, before.chapters])
  const row = await site.db
    .selectFrom('videos')
    .select(['description', 'descriptionCut', 'cut'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    description: expect.stringMatching(/^See 0:02, not 0:03\. Monday 20:00, John 3:16!\n/),
    descriptionCut: null,
    cut: null,
  })
  const { content: stored } = await site.db
    .selectFrom('captions')
    .select('content')
    .where('videoId', '=', id)
    .executeTakeFirstOrThrow()
  expect(stored).not.toContain('secret')
  const clips = await site.db
    .selectFrom('clips')
    .select(['title', 'startSeconds', 'endSeconds'])
    .where('videoId', '=', id)
    .execute()
  expect(clips).toEqual([{ title: 'seen', startSeconds: expect.closeTo(1), endSeconds: expect.closeTo(3.8) }])
  const current = await getPlayable(site.db, id)
  expect(await keysBelow(`sources/${id}/`)).toEqual([current.sourceKey])
  expect(await keysBelow(`segments/${id}/${old.folder}/`)).toEqual([])
  expect(await keysBelow('hidden/')).not.toContain(`hidden/${id}`)
  expect((await site.client().get(`/media/videos/${id}/${current.folder}/source/index.m3u8`)).status).toBe(
    200,
  )
  expect((await site.client().get(`/media/videos/${id}/${current.folder}/source/0.m4s`)).status).toBe(200)
})

test('a chat is replayed where viewers see what it was about', { timeout: 120_000 }, async () => {
  const { id } = await publishSource(site, 'tide.mp4', h264, '320x180')
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  const chatFrom = new Date('2026-05-04T08:00:00.000Z')
  await site.db.updateTable('videos').set({ chatFrom, chatUntil: chatFrom }).where('id', '=', id).execute()
  for (const seconds of [-5, 0.5, 2, 3.5, 5])
    await site.db
      .insertInto('chatMessages')
      .values({
        id: newId(),
        videoId: id,
        userId: owner.user._id,
        text: `at ${seconds}`,
        sentAt: new Date(chatFrom.getTime() + seconds * 1000),
      })
      .execute()
  const replay = async (query: { after?: string; until?: string } = {}) => {
    const { items } = await site.client().call(listChatMessages, { params: { videoId: id }, query })
    return items.map(({ text, position }) => [text, Math.round(position * 10) / 10]).toReversed()
  }
  const whole = [
    ['at -5', -5],
    ['at 0.5', 0.5],
    ['at 2', 2],
    ['at 3.5', 3.5],
    ['at 5', 5],
  ]
  expect(await replay()).toEqual(whole)
  const put = (ranges: { startSeconds: number; endSeconds: number }[]) =>
    owner.client.call(putCut, { params: { id }, body: { keep: ranges } })

  await put(keep)
  const cut = [
    ['at -5', -5],
    ['at 2', 1],
    ['at 5', 2.8],
  ]
  expect(await replay()).toEqual(cut)
  expect(await replay({ after: '0', until: '1' })).toEqual([['at 2', 1]])
  // Removed messages would begin at 2 s.
  expect(await replay({ after: '1', until: '2.5' })).toEqual([])
  await put([range(0, 4)])
  expect(await replay()).toEqual(whole.slice(0, -1))
  await owner.client.call(deleteCut, { params: { id } })
  expect(await replay()).toEqual(whole)

  const { publishedAt } = await put(keep)
  await begin(id, publishedAt ?? '')
  await applyCut(site.context, id, never)
  expect(await replay()).toEqual(cut)
  expect(await replay({ after: '1', until: '3' })).toEqual([['at 5', 2.8]])
})

test('keeps the captions and chapters of a file at the times of the cut', { timeout: 120_000 }, async () => {
  const { id } = await publishSource(
    site,
    'talk.mp4',
    `-i @spoken.srt -map 0:v -map 1:a -map 2:s ${h264} -c:s mov_text`,
    '320x180',
    undefined,
    {
      'spoken.srt':
        '1\n00:00:02,000 --> 00:00:02,900\nkept\n\n2\n00:00:03,200 --> 00:00:04,000\nsecret\n\n3\n00:00:05,000 --> 00:00:06,000\nlater\n',
    },
  )
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', id).execute()
  const { publishedAt } = await owner.client.call(putCut, { params: { id }, body: { keep } })
  await putFileCaptions(site.db, { videoId: id, fileTrack: 0, replacement: null }, 'secret')
  await putWaiting(site.db, id)
  await begin(id, publishedAt ?? '')
  await applyCut(site.context, id, never)
  for (const table of ['fileCaptions', 'waveforms'] as const)
    expect(await site.db.selectFrom(table).select('videoId').where('videoId', '=', id).execute()).toEqual([])
  const { captions } = await shownOf(id)
  expect(captions).toHaveLength(1)
  expect(captions[0]).toContain('00:00:02.800 --> 00:00:03.800\nlater')
  expect(captions[0]).not.toContain('secret')
})

test(
  'loses nothing where the job is interrupted, and ends at the next attempt',
  { timeout: 120_000 },
  async () => {
    const { id, publishedAt } = await publishCutVideo()
    await begin(id, publishedAt)
    const before = await getPlayable(site.db, id)
    const stopped = new AbortController()
    const running = applyCut(site.context, id, stopped.signal)
    stopped.abort(new Error('the worker stops'))
    await expect(running).rejects.toThrow('the worker stops')
    expect(await getPlayable(site.db, id)).toEqual(before)
    expect(await site.storage.head(before.sourceKey)).toBeDefined()
    expect(await findCutDeletion(site.db, id)).toBeDefined()
    await applyCut(site.context, id, never)
    expect((await getPlayable(site.db, id)).cut).toBeNull()
  },
)

test(
  'deletes again what is cut of the file, and never encodes what is kept',
  { timeout: 120_000 },
  async () => {
    const { id, publishedAt } = await publishCutVideo()
    await begin(id, publishedAt)
    await applyCut(site.context, id, never)
    const second = await owner.client.call(putCut, { params: { id }, body: { keep: [range(0.7, 4.1)] } })
    expect(second.isDeletable).toBe(true)
    await begin(id, second.publishedAt ?? '')
    await applyCut(site.context, id, never)
    const { source } = await getPlayable(site.db, id)
    expect(source).toMatchObject({ joins: 2, durationSeconds: expect.closeTo(3.4, 1) })
    // an upload whose own parameter sets have the ids of those at borders
    await site.db
      .updateTable('videos')
      .set({ source: JSON.stringify({ ...source, joins: 0 }) })
      .where('id', '=', id)
      .execute()
    site.context.cacheTags.clear(['videos'])
    const third = await owner.client.call(putCut, { params: { id }, body: { keep: [range(0.5, 2.3)] } })
    await begin(id, third.publishedAt ?? '')
    await expect(applyCut(site.context, id, never)).rejects.toThrow('cannot be copied')
    expect((await getPlayable(site.db, id)).cut).toHaveLength(1)
  },
)

test('hides the old file until it is deleted, also after a crash', { timeout: 120_000 }, async () => {
  const { id, publishedAt } = await publishCutVideo()
  await begin(id, publishedAt)
  const old = await getPlayable(site.db, id)
  const { storage } = site
  const failing = new Proxy(storage, {
    get(target, name) {
      if (name === 'delete') return () => Promise.reject(new Error('the worker is killed'))
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await expect(applyCut({ ...site.context, storage: failing }, id, never)).rejects.toThrow('is killed')
  expect((await getPlayable(site.db, id)).cut).toBeNull()
  await reconcileHiddenMarks(site.context)
  await showFiles(site.context, id)
  expect(await keysBelow('hidden/')).toContain(`hidden/${id}`)
  expect(await keysBelow(`sources/${id}/`)).toContain(old.sourceKey)
  expect((await owner.client.call(getCut, { params: { id } })).deletion).toBeNull()
  const other = await owner.client.call(putCut, { params: { id }, body: { keep: [range(0.7, 4.1)] } })
  const { status } = await owner.client.post(`/api/v1/videos/${id}/cut/deletion`, {
    publishedAt: other.publishedAt,
  })
  expect(status).toBe(409)
  await owner.client.delete(`/api/v1/videos/${id}/cut`)
  expect(await listCutDeletions(site.db)).toContain(id)
  await applyCut(site.context, id, never)
  expect(await keysBelow(`sources/${id}/`)).not.toContain(old.sourceKey)
  expect(await keysBelow('hidden/')).not.toContain(`hidden/${id}`)
  expect(await listCutDeletions(site.db)).not.toContain(id)
})

test('ends when another cut is published, or it is stopped', { timeout: 120_000 }, async () => {
  const { id, publishedAt } = await publishCutVideo()
  await begin(id, publishedAt)
  const other = await owner.client.call(putCut, { params: { id }, body: { keep: [range(2, 8)] } })
  expect(other.deletion).toBeNull()
  await applyCut(site.context, id, never)
  expect((await getPlayable(site.db, id)).cut).toHaveLength(1)
  await begin(id, other.publishedAt ?? '')
  const kept = await owner.client.call(keepRemovedParts, { params: { id } })
  expect(kept.deletion).toBeNull()
  await applyCut(site.context, id, never)
  expect(await owner.client.call(getCut, { params: { id } })).toEqual(kept)
})

test.for([
  ['of another cut', 'cut_changed'],
  ['without a cut', 'cut_missing'],
  ['of a file in a folder', 'file_elsewhere'],
  ['where it would encode the picture again', 'cut_not_copied'],
  ['where it would encode the sound again', 'cut_not_copied'],
] as const)('is refused %s', async ([kind, reason]) => {
  const { id, publishedAt } =
    kind === 'where it would encode the picture again'
      ? await publishCutVideo('sea.webm', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 60 -c:a libopus')
      : kind === 'where it would encode the sound again'
        ? await publishCutVideo('opus.mp4', h264.replace('-c:a aac', '-c:a libopus'))
        : await publishCutVideo()
  let asked = publishedAt
  if (kind === 'of another cut') asked = new Date(0).toISOString()
  if (kind === 'without a cut') await owner.client.delete(`/api/v1/videos/${id}/cut`)
  if (kind === 'of a file in a folder') {
    const { sourceKey } = await getPlayable(site.db, id)
    const file = site.storage.pathOf(sourceKey) ?? ''
    await rename(file, `${file}.collection`)
    await symlink(`${file}.collection`, file)
  }
  const { status, body } = await owner.client.post(`/api/v1/videos/${id}/cut/deletion`, {
    publishedAt: asked,
  })
  expect([status, body.reason]).toEqual([409, reason])
})
