import { introMaxSeconds } from '@kinora/contract/constants.ts'
import { createHandover, acceptHandover } from '@kinora/contract/videos/handovers.ts'
import * as contract from '@kinora/contract/videos/intros.ts'
import { openShareLink } from '@kinora/contract/videos/share-links.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { addToPlaylist, createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { createPlaylistLink, getSharedVideo } from '@kinora/contract/watching/shared-playlists.ts'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../context/database.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

type Member = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let viewer: Member
let owner: Member
let videoId: string
let introId: string
let outroId: string

beforeAll(async () => {
  site = await createTestApp()
  viewer = await signUp(site)
})
afterAll(() => site.close())

/** A channel with a video, an intro and an outro. */
beforeEach(async () => {
  owner = await signUp(site)
  videoId = await addVideo(site, owner.user._id)
  introId = await addShort({ title: 'Opening' })
  outroId = await addShort({ title: 'Closing', durationSeconds: introMaxSeconds + 0.04 })
})

/** A public video of a few seconds, without files. */
const addShort = (fields: Partial<Insertable<Database['videos']>> = {}) =>
  addVideo(site, owner.user._id, { durationSeconds: 6, ...fields })

const choose = (intros: contract.Intros) => owner.client.call(contract.putChannelIntros, { body: intros })
const both = () => choose({ introId, outroId })

/** The intro and outro that a client gets with a video. */
async function seenBy(client = site.client(), id = videoId) {
  const [video] = await client.call(getVideo, { params: { id } })
  return [video?.introId, video?.outroId]
}

const setColumns = (id: string, columns: Partial<Insertable<Database['videos']>>) =>
  site.db.updateTable('videos').set(columns).where('id', '=', id).execute()

test('a channel chooses an intro and an outro, which viewers get with its other videos', async () => {
  expect(await seenBy()).toEqual([undefined, undefined])
  expect(await both()).toMatchObject({ introId, outroId })
  expect(await seenBy()).toEqual([introId, outroId])
  expect(await seenBy(viewer.client)).toEqual([introId, outroId])
  for (const id of [introId, outroId]) expect(await seenBy(site.client(), id)).toEqual([undefined, undefined])

  expect(await choose({ introId: outroId, outroId: null })).toMatchObject({ introId: outroId, outroId: null })
  expect(await seenBy()).toEqual([outroId, undefined])
  expect(await seenBy(site.client(), introId)).toEqual([outroId, undefined])
  await choose({ introId: null, outroId: null })
  expect(await seenBy()).toEqual([undefined, undefined])
})

test('videos of other channels have none', async () => {
  await both()
  expect(await seenBy(site.client(), await addVideo(site, viewer.user._id))).toEqual([undefined, undefined])
})

test('lists short published videos of the channel to choose from, the chosen ones first', async () => {
  const hidden = await addShort({ visibility: 'private' })
  await addShort({ processingState: 'failed' })
  await addVideo(site, viewer.user._id, { durationSeconds: 6 })
  const read = async () =>
    (await owner.client.call(contract.getChannelIntros, {})).choices.map(({ _id, isPlayable }) => [
      _id,
      isPlayable,
    ])
  expect(await read()).toEqual(
    expect.arrayContaining([
      [introId, true],
      [outroId, true],
    ]),
  )
  expect(await read()).toHaveLength(2)
  await choose({ introId: null, outroId })
  await owner.client.call(changeOwnVideo, { params: { id: outroId }, body: { visibility: 'private' } })
  expect(await read()).toEqual([
    [outroId, false],
    [introId, true],
  ])
  expect(await read()).not.toContainEqual([hidden, expect.anything()])
  // a choice that is not shown for now stays when the other one changes
  expect(await choose({ introId, outroId })).toMatchObject({ introId, outroId })
})

test.each([
  ['private', { visibility: 'private' as const }],
  ['longer than the limit', { durationSeconds: introMaxSeconds + 1 }],
  ['not playable', { processingState: 'failed' as const }],
  ['live', { isLive: true }],
  ['taken down', { takedownReason: 'Spam' }],
])('refuses a video that is %s, and leaves it out when it becomes so', async (_name, columns) => {
  const unusable = await addShort(columns)
  await expect(choose({ introId: unusable, outroId: null })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'introId', reason: 'intro_unusable' }],
  })
  await both()
  await setColumns(outroId, columns)
  site.context.cacheTags.clear(['videos'])
  for (const client of [site.client(), viewer.client, owner.client])
    expect(await seenBy(client)).toEqual([introId, undefined])
})

test('refuses videos of other channels, and shows none that was given away', async () => {
  const foreign = await addVideo(site, viewer.user._id, { durationSeconds: 6 })
  await expect(choose({ introId: null, outroId: foreign })).rejects.toMatchObject({
    errors: [{ path: 'outroId', reason: 'intro_unusable' }],
  })
  await both()
  const body = { videoId: introId, username: viewer.user.username }
  const [handover] = await owner.client.call(createHandover, { body })
  await viewer.client.call(acceptHandover, { params: { handoverId: handover?._id ?? '' } })
  expect(await seenBy()).toEqual([undefined, outroId])
  expect(await owner.client.call(contract.getChannelIntros, {})).toMatchObject({ introId: null, outroId })
})

test('what another channel has chosen of a video counts for no choices of its owner', async () => {
  await both()
  const given = await addVideo(site, viewer.user._id, { durationSeconds: introMaxSeconds + 1 })
  await site.db.updateTable('intros').set({ videoId: given }).where('videoId', '=', introId).execute()
  const { choices } = await viewer.client.call(contract.getChannelIntros, {})
  expect(choices.map(({ _id }) => _id)).not.toContain(given)
})

test('a share link opens no intro for members, which its viewers could not load', async () => {
  await both()
  await owner.client.call(changeOwnVideo, { params: { id: introId }, body: { visibility: 'members' } })
  const { _id: playlistId } = await owner.client.call(createPlaylist, { body: { title: 'Lessons' } })
  for (const id of [introId, videoId])
    await owner.client.call(addToPlaylist, { params: { playlistId, videoId: id } })
  const body = { name: 'Class 4b' }
  const { secret } = await owner.client.call(createPlaylistLink, { params: { playlistId }, body })
  const { visit } = await site.client().call(openShareLink, { body: { secret } })
  const shared = await site.client().call(getSharedVideo, { body: { visit, videoId } })
  expect([shared.introId, shared.outroId]).toEqual([undefined, outroId])
})

test('an unlisted intro is shown to everybody, one for members to members', async () => {
  await both()
  const change = (id: string, visibility: 'unlisted' | 'members') =>
    owner.client.call(changeOwnVideo, { params: { id }, body: { visibility } })
  await change(introId, 'unlisted')
  await change(outroId, 'members')
  expect(await seenBy()).toEqual([introId, undefined])
  expect(await seenBy(viewer.client)).toEqual([introId, outroId])
})

test('a sensitive intro is shown beside sensitive videos only', async () => {
  await both()
  const mark = (id: string) =>
    owner.client.call(changeOwnVideo, { params: { id }, body: { sensitiveReason: 'Blood' } })
  await mark(introId)
  expect(await seenBy()).toEqual([undefined, outroId])
  await mark(videoId)
  expect(await seenBy()).toEqual([introId, outroId])
})

test('live streams and running premieres have none', async () => {
  await both()
  const change = async (columns: Partial<Insertable<Database['videos']>>) => {
    await setColumns(videoId, columns)
    site.context.cacheTags.clear(['videos'])
    return seenBy()
  }
  expect(await change({ isLive: true })).toEqual([undefined, undefined])
  expect(await change({ isLive: false, premiereAt: new Date(Date.now() - 10_000) })).toEqual([
    undefined,
    undefined,
  ])
  expect(await change({ premiereAt: new Date(Date.now() - 60_000) })).toEqual([introId, outroId])
})

test('a video is switched off and on again', async () => {
  const params = { id: videoId }
  const read = () => owner.client.call(contract.getVideoIntros, { params })
  const put = (isOn: boolean) => owner.client.call(contract.putVideoIntros, { params, body: { isOn } })
  expect(await read()).toEqual({ isOn: true, channelHasAny: false })
  await both()
  expect(await put(false)).toEqual({ isOn: false, channelHasAny: true })
  expect(await seenBy()).toEqual([undefined, undefined])
  expect(await put(true)).toEqual(await read())
  expect(await seenBy()).toEqual([introId, outroId])
})

test('ends with the deletion of its video', async () => {
  await both()
  await owner.client.call(deleteVideo, { params: { id: introId } })
  expect(await seenBy()).toEqual([undefined, outroId])
  expect(await owner.client.call(contract.getChannelIntros, {})).toMatchObject({ introId: null, outroId })
})
