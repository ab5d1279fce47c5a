import { clipMaxSeconds, clipsPerVideo } from '@kinora/contract/watching/clip-limits.ts'
import * as contract from '@kinora/contract/watching/clips.ts'
import { mutePerson } from '@kinora/contract/conversation/mutes.ts'
import { putWatchedWords } from '@kinora/contract/conversation/comments.ts'
import { deleteAnyClips } from '@kinora/contract/operations/moderation.ts'
import { listActivity } from '@kinora/contract/videos/collaborators.ts'
import { toCutSpan, type Range } from '@kinora/contract/videos/cut-times.ts'
import { deleteCut, putCut } from '@kinora/contract/videos/cuts.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { createClip } from './actions.ts'

type Member = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let owner: Member
let viewer: Member

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  owner = await signUp(site)
  viewer = await signUp(site)
})
afterAll(() => site.close())

/** A public video of an hour, without files. */
const addHour = (fields = {}) => addVideo(site, owner.user._id, { durationSeconds: 3600, ...fields })

const clip = (by: Member, videoId: string, startSeconds = 730, endSeconds = 760, title = 'The turn') =>
  by.client.call(contract.createClip, { body: { videoId, title, startSeconds, endSeconds } })
const read = (clipId: string, client = site.client()) => client.call(contract.getClip, { params: { clipId } })
const remove = (by: Member, clipId: string) => by.client.call(contract.deleteClip, { params: { clipId } })
const titlesOf = async (list: Promise<{ items: contract.ListedClip[] }>) =>
  (await list).items.map(({ title }) => title)

test('a viewer makes a clip, which everybody sees and its maker renames and removes', async () => {
  const videoId = await addHour({ title: 'Salt' })
  const made = await clip(viewer, videoId)
  expect(made).toMatchObject({
    title: 'The turn',
    startSeconds: 730,
    maker: { username: viewer.user.username },
    video: { _id: videoId, title: 'Salt' },
    isOwn: true,
    mayRemove: true,
  })
  expect(made.endSeconds).toBeCloseTo(760, 6)
  expect(await read(made._id)).toEqual({ ...made, isOwn: false, mayRemove: false })
  const params = { clipId: made._id }
  const body = { title: '  The\nturn\u200b again ' }
  expect(await viewer.client.call(contract.renameClip, { params, body })).toMatchObject({
    title: 'The turn again',
  })
  await expect(owner.client.call(contract.renameClip, { params, body })).rejects.toMatchObject({
    reason: 'clip_not_yours',
  })
  expect(await titlesOf(viewer.client.call(contract.listOwnClips, {}))).toEqual(['The turn again'])
  expect(await titlesOf(owner.client.call(contract.listReceivedClips, {}))).toEqual(['The turn again'])
  await remove(viewer, made._id)
  await expect(read(made._id)).rejects.toMatchObject({ reason: 'clip_not_found' })
})

test.each([
  [10, 10.5, 'clip_too_short'],
  [10, 10 + clipMaxSeconds + 1, 'clip_too_long'],
  [3590, 3610, 'clip_beyond_end'],
])('refuses a clip from %d s to %d s', async (start, end, reason) => {
  const refused = clip(viewer, await addHour(), start, end)
  await expect(refused).rejects.toMatchObject({ status: 400, errors: [{ path: 'endSeconds', reason }] })
})

test('the owner, or the channel, decides whether viewers may make clips; existing ones stay', async () => {
  const videoId = await addHour()
  const made = await clip(viewer, videoId)
  const params = { id: videoId }
  const states = async () => {
    const [video] = await viewer.client.call(getVideo, { params })
    const attempt = await clip(viewer, videoId).then(
      () => true,
      ({ reason }: { reason: string }) => reason,
    )
    return [video?.clipsAllowed, attempt]
  }
  const off = [false, 'clips_off']
  const choose = (clips: contract.ClipChoice) =>
    owner.client.call(contract.putClipPolicy, { params, body: { clips } })
  const chooseForChannel = (clips: contract.ClipChoice) =>
    owner.client.call(contract.putChannelClipPolicy, { body: { clips } })

  expect(await states()).toEqual([true, true])
  expect(await choose('off')).toEqual({ own: 'off', channel: 'default' })
  expect(await states()).toEqual(off)
  expect(await read(made._id)).toMatchObject({ title: made.title })
  await clip(owner, videoId)
  await choose('default')
  await chooseForChannel('off')
  expect(await owner.client.call(contract.getClipPolicy, { params })).toEqual({
    own: 'default',
    channel: 'off',
  })
  expect(await states()).toEqual(off)
  await choose('allowed')
  expect(await states()).toEqual([true, true])
  await chooseForChannel('default')
  await choose('default')
  await owner.client.call(changeOwnVideo, { params, body: { visibility: 'unlisted' } })
  expect(await states()).toEqual(off)
  await chooseForChannel('allowed')
  expect(await states()).toEqual([true, true])
  await chooseForChannel('default')
})

test('people whom the owner blocked make no clips, nor does a title have words that are watched', async () => {
  const videoId = await addHour()
  const blocked = await signUp(site)
  const params = { username: blocked.user.username }
  await owner.client.call(mutePerson, { params, body: { isBlocked: true } })
  await expect(clip(blocked, videoId)).rejects.toMatchObject({ reason: 'clip_blocked' })
  const body = { watchedWords: 'casino', watchedWordsAction: 'hold' as const }
  await owner.client.call(putWatchedWords, { body })
  const { _id: clipId } = await clip(viewer, videoId)
  const title = 'Best casino'
  const refused = { status: 400, errors: [{ path: 'title', reason: 'clip_words' }] }
  await expect(clip(viewer, videoId, 1, 5, title)).rejects.toMatchObject(refused)
  const renamed = viewer.client.call(contract.renameClip, { params: { clipId }, body: { title } })
  await expect(renamed).rejects.toMatchObject(refused)
  await owner.client.call(putWatchedWords, { body: { ...body, watchedWords: '' } })
})

test('an account makes a limited number of clips of one video', async () => {
  const videoId = await addHour()
  const { user, client } = await signUp(site)
  await sql`
    insert into clips (id, video_id, user_id, title, start_seconds, end_seconds, created_at)
    select 'many' || i, ${videoId}, ${user._id}, 'Many', 0, 5, '2000-01-01' from generate_series(2, ${clipsPerVideo}::int) i`.execute(
    site.db,
  )
  const member = { user, client }
  const last = await clip(member, videoId)
  await expect(clip(member, videoId)).rejects.toMatchObject({ reason: 'clip_limit_of_video' })
  await remove(member, last._id)
  await clip(member, videoId)
})

test('the owner and people of the channel remove clips, others do not', async () => {
  const videoId = await addHour()
  const [editor, other, moderator] = [await signUp(site), await signUp(site), await signUp(site)]
  await updateRole(site.db, moderator.user._id, 'moderator')
  await site.db
    .insertInto('collaborators')
    .values({ channelId: owner.user._id, userId: editor.user._id, role: 'editor', createdAt: new Date() })
    .execute()
  const query = { channel: owner.user.username }
  const clips = [await clip(viewer, videoId), await clip(viewer, videoId), await clip(viewer, videoId)]
  const [first, second, third] = clips.map(({ _id }) => _id) as [string, string, string]
  const received = async () =>
    (await editor.client.call(contract.listReceivedClips, { query })).items.map(({ _id }) => _id)
  expect(await received()).toEqual(expect.arrayContaining([first, second, third]))
  expect(await read(first, editor.client)).toMatchObject({ isOwn: false, mayRemove: true })
  for (const by of [other, moderator])
    await expect(remove(by, first)).rejects.toMatchObject({ reason: 'clip_not_yours' })
  await remove(editor, first)
  await remove(owner, second)
  await moderator.client.call(deleteAnyClips, { body: { ids: [third, 'none'] } })
  expect(await received()).not.toEqual(expect.arrayContaining([first]))
  for (const id of [first, second, third]) await expect(read(id)).rejects.toMatchObject({ status: 404 })
  const { items } = await owner.client.call(listActivity, {})
  expect(items.map(({ action, actor }) => [action, actor?.username])).toEqual([
    ['clips_removed', owner.user.username],
    ['clips_removed', editor.user.username],
  ])
  await expect(other.client.call(contract.listReceivedClips, { query })).rejects.toMatchObject({
    status: 403,
  })
})

test('follows its video and its maker: gone while one is hidden, deleted with the other', async () => {
  const videoId = await addHour()
  const maker = await signUp(site)
  const { _id } = await clip(maker, videoId)
  const isSeen = () =>
    read(_id).then(
      () => true,
      () => false,
    )
  const change = (visibility: 'private' | 'public') =>
    owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility } })
  await change('private')
  expect(await isSeen()).toBe(false)
  expect(await read(_id, owner.client)).toMatchObject({ mayRemove: true })
  await change('public')
  expect(await isSeen()).toBe(true)
  await suspendUser(site.context, maker.user._id)
  expect(await isSeen()).toBe(false)
  await sql`update users set suspended_at = null where id = ${maker.user._id}`.execute(site.db)
  expect(await isSeen()).toBe(true)
  await owner.client.call(deleteVideo, { params: { id: videoId } })
  expect(await isSeen()).toBe(false)
  expect(await site.db.selectFrom('clips').select('id').where('id', '=', _id).execute()).toEqual([])
})

test('lists of a maker and of a channel have clips of videos that are hidden from them, to remove them', async () => {
  const videoId = await addHour()
  const other = await signUp(site)
  const made = [await clip(viewer, videoId), await clip(viewer, videoId), await clip(viewer, videoId)]
  const [first, second, third] = made.map(({ _id }) => _id) as [string, string, string]
  const listed = async (
    by: Member,
    list: typeof contract.listOwnClips | typeof contract.listReceivedClips,
  ) => {
    const { items } = await by.client.call(list, { query: { limit: 200 } })
    const own = items.filter(({ _id }) => [first, second, third].includes(_id))
    return new Map(own.map(({ _id, title, startSeconds, video }) => [_id, [title, startSeconds, video?._id]]))
  }
  const rows = (row: unknown[], ids = [first, second, third]) => new Map(ids.map((id) => [id, row]))
  const [shown, hidden] = [
    ['The turn', 730, videoId],
    ['The turn', null, undefined],
  ]
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'private' } })
  expect(await listed(viewer, contract.listOwnClips)).toEqual(rows(hidden))
  expect(await listed(owner, contract.listReceivedClips)).toEqual(rows(shown))
  // hidden from its owner, too
  await site.db.updateTable('videos').set({ takedownReason: 'No' }).where('id', '=', videoId).execute()
  expect(await listed(owner, contract.listReceivedClips)).toEqual(rows(hidden))
  await expect(remove(other, first)).rejects.toMatchObject({ reason: 'clip_not_found' })
  await remove(viewer, first)
  await remove(owner, second)
  expect(await listed(viewer, contract.listOwnClips)).toEqual(rows(hidden, [third]))
  expect(await listed(owner, contract.listReceivedClips)).toEqual(rows(hidden, [third]))
})

test('the list of a channel has the clips of a video from its handover on', async () => {
  const videoId = await addHour()
  const [next, suspended] = [await signUp(site), await signUp(site)]
  const made = [await clip(viewer, videoId), await clip(viewer, videoId)].map(({ _id }) => _id)
  await clip(suspended, videoId)
  await suspendUser(site.context, suspended.user._id)
  const received = (by: Member, query: { limit: number; cursor?: string | undefined }) =>
    by.client.call(contract.listReceivedClips, { query })
  expect((await received(next, { limit: 1 })).items).toEqual([])
  await site.db.updateTable('videos').set({ ownerId: next.user._id }).where('id', '=', videoId).execute()
  const one = await received(next, { limit: 1 })
  const two = await received(next, { limit: 1, cursor: one.nextCursor ?? '' })
  expect([...one.items, ...two.items].map(({ _id }) => _id).toSorted()).toEqual(made.toSorted())
  expect(two.nextCursor).toBeNull()
  const { items } = await received(owner, { limit: 200 })
  expect(items.map(({ _id }) => _id)).not.toContain(made[0])
})

test('a cut moves a clip, and one without anything left is gone until the cut is undone', async () => {
  const { id: videoId } = await publishSource(site, 'turn.mp4', h264, '64x36')
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', videoId).execute()
  const params = { id: videoId }
  const cut = (...keep: [number, number][]) =>
    owner.client.call(putCut, {
      params,
      body: { keep: keep.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds })) },
    })
  const { _id } = await clip(viewer, videoId, 4, 6)
  const span = async () => {
    const { startSeconds, endSeconds } = await read(_id)
    return [startSeconds, endSeconds].map((seconds) => Math.round(seconds * 10) / 10)
  }
  await cut([0, 1], [3, 8])
  expect(await span()).toEqual([2, 4])
  await cut([0, 5], [7, 8])
  expect(await span()).toEqual([4, 5])
  await cut([0, 3], [7, 8])
  await expect(span()).rejects.toMatchObject({ reason: 'clip_not_found' })
  const query = { limit: 200 }
  for (const list of [
    await owner.client.call(contract.listReceivedClips, { query }),
    await viewer.client.call(contract.listOwnClips, { query }),
  ]) {
    const listed = list.items.find((each) => each._id === _id)
    expect(listed).toMatchObject({ startSeconds: null, endSeconds: null, video: { _id: videoId } })
  }
  // made on the cut video: of the file from 2 s to 3 s, without what follows the join
  const ofCut = await clip(viewer, videoId, 2, 3, 'Up to the join')
  await owner.client.call(deleteCut, { params })
  expect(await span()).toEqual([4, 6])
  expect(await read(ofCut._id)).toMatchObject({ startSeconds: 2, endSeconds: expect.closeTo(3, 3) })
})

test('a player that was opened before a cut makes no clip of another place', async () => {
  const videoId = await addHour()
  const body = { videoId, title: 'Turn', startSeconds: 10, endSeconds: 20 }
  await viewer.client.call(contract.createClip, { body: { ...body, durationSeconds: 3600 } })
  await site.db.updateTable('videos').set({ durationSeconds: 3000 }).where('id', '=', videoId).execute()
  const late = viewer.client.call(contract.createClip, { body: { ...body, durationSeconds: 3600 } })
  await expect(late).rejects.toMatchObject({ status: 409, reason: 'cut_changed' })
})

test('titles of members whose comments would wait are refused, and search engines list no clip of members', async () => {
  const videoId = await addHour()
  const robots = async (by: Member, title: string) => {
    const { _id } = await clip(by, videoId, 1, 5, title)
    return (await (await site.client().fetch(`/clip/${_id}`)).text()).includes('content="noindex"')
  }
  expect([await robots(viewer, 'The turn'), await robots(owner, 'The turn')]).toEqual([true, false])
  const current = { ...site.context.siteSettings.current, holdFirstComments: true }
  const made = createClip(
    site.context,
    { videoId, userId: viewer.user._id, title: 'A', startSeconds: 1, endSeconds: 5 },
    current,
  )
  await expect(made).rejects.toMatchObject({ errors: [{ reason: 'clip_words' }] })
})

test('a replaced file has no clips of the one before', async () => {
  const videoId = await addHour()
  const { _id } = await clip(viewer, videoId)
  await site.db.updateTable('videos').set({ replacement: 'another' }).where('id', '=', videoId).execute()
  await expect(read(_id)).rejects.toMatchObject({ reason: 'clip_not_found' })
})

test('plays what a cut leaves of it, as the player maps times, and never more than its own length', async () => {
  const videoId = await addHour()
  const seconds = fc.integer({ min: 0, max: 36_000 }).map((tenths) => tenths / 10)
  const keeps = fc.uniqueArray(seconds, { minLength: 2, maxLength: 8 }).map((times) => {
    const sorted = times.toSorted((one, other) => one - other)
    const edges = sorted.slice(0, sorted.length - (sorted.length % 2))
    return Array.from({ length: edges.length / 2 }, (_, index): Range => ({
      startSeconds: edges[2 * index] ?? 0,
      endSeconds: edges[2 * index + 1] ?? 0,
    }))
  })
  const spans = fc
    .tuple(fc.integer({ min: 0, max: 34_000 }), fc.integer({ min: 10, max: clipMaxSeconds * 10 }))
    .map(([start, length]): Range => ({ startSeconds: start / 10, endSeconds: (start + length) / 10 }))
  const { _id } = await clip(viewer, videoId)
  await fc.assert(
    fc.asyncProperty(keeps, spans, async (keep, span) => {
      const duration = keep.reduce((sum, range) => sum + range.endSeconds - range.startSeconds, 0)
      await sql`update videos set cut = ${JSON.stringify(keep)}::jsonb, duration_seconds = ${duration} where id = ${videoId}`.execute(
        site.db,
      )
      await site.db.updateTable('clips').set(span).where('id', '=', _id).execute()
      const expected = toCutSpan(keep, span)
      const shown = await read(_id).catch(() => undefined)
      expect(shown === undefined).toBe(expected === undefined)
      if (!shown || !expected) return
      expect(shown.startSeconds).toBeCloseTo(expected.startSeconds, 6)
      expect(shown.endSeconds).toBeCloseTo(expected.endSeconds, 6)
      const length = shown.endSeconds - shown.startSeconds
      expect(length).toBeLessThanOrEqual(span.endSeconds - span.startSeconds + 1e-6)
    }),
    { numRuns: 60 },
  )
})
