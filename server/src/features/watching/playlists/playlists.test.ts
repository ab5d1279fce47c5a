import { watchLaterId } from '@kinora/contract/watching/watch-later.ts'
import * as contract from '@kinora/contract/watching/playlists.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

type Person = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let creator: Person
let viewer: Person
let stranger: Person

beforeAll(async () => {
  site = await createTestApp()
  creator = await signUp(site)
  stranger = await signUp(site)
})
beforeEach(async () => {
  viewer = await signUp(site)
})
afterAll(() => site.close())

const create = (visibility: contract.PlaylistVisibility = 'private', title = 'Light') =>
  viewer.client.call(contract.createPlaylist, { body: { title, visibility } })
const add = (playlistId: string, videoId: string) =>
  viewer.client.call(contract.addToPlaylist, { params: { playlistId, videoId } })
const addVideos = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) => addVideo(site, creator.user._id, { title: `Video ${n}` })),
  )
const read = (client: TestClient, playlistId: string) =>
  client.call(contract.getPlaylist, { params: { playlistId } })

async function videosOf(client: TestClient, playlistId: string, query: object = {}) {
  const ids: (string | null)[] = []
  let cursor: string | undefined
  do {
    const page = await client.call(contract.listPlaylistEntries, {
      params: { playlistId },
      query: { ...query, ...(cursor ? { cursor } : {}) },
    })
    ids.push(...page.items.map(({ video }) => video?._id ?? null))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return ids
}

/** A private playlist with videos; returns the ids of videos and entries in order. */
async function makePlaylist(count: number, visibility: contract.PlaylistVisibility = 'private') {
  const { _id: id } = await create(visibility)
  const videoIds = await addVideos(count)
  const entryIds: string[] = []
  for (const videoId of videoIds) entryIds.push((await add(id, videoId)).entryId)
  return { id, videoIds, entryIds }
}

test('keeps videos in the order of insertion, each once, across pages', async () => {
  const { id, videoIds, entryIds } = await makePlaylist(7)
  expect(await add(id, videoIds[2] ?? '')).toEqual({ entryId: entryIds[2] })
  expect(await videosOf(viewer.client, id)).toEqual(videoIds)
  expect(await videosOf(viewer.client, id, { limit: 2 })).toEqual(videoIds)
  expect(await read(viewer.client, id)).toMatchObject({
    title: 'Light',
    videosCount: 7,
    unavailableCount: 0,
    duration: 7 * 36.5,
    owner: { username: viewer.user.username },
  })
})

test('moves an entry to the top, between two others and to the end', async () => {
  const { id, videoIds, entryIds } = await makePlaylist(4)
  const [a, b, c, d] = videoIds
  const move = (entryId: string | undefined, afterEntryId: string | null | undefined) =>
    viewer.client.call(contract.moveInPlaylist, {
      params: { playlistId: id, entryId: entryId ?? '' },
      body: { afterEntryId: afterEntryId ?? null },
    })
  await move(entryIds[3], null)
  expect(await videosOf(viewer.client, id)).toEqual([d, a, b, c])
  await move(entryIds[0], entryIds[1])
  expect(await videosOf(viewer.client, id)).toEqual([d, b, a, c])
  await move(entryIds[3], entryIds[2])
  expect(await videosOf(viewer.client, id)).toEqual([b, a, c, d])
  const moveToEnd = (entryId = '') =>
    viewer.client.call(contract.moveInPlaylist, { params: { playlistId: id, entryId }, body: {} })
  await moveToEnd(entryIds[1])
  expect(await videosOf(viewer.client, id)).toEqual([a, c, d, b])
  await moveToEnd(entryIds[1])
  await move(entryIds[1], null)
  // to its current position
  await move(entryIds[3], entryIds[2])
  await move(entryIds[3], entryIds[3])
  expect(await videosOf(viewer.client, id)).toEqual([b, a, c, d])
  await expect(move('nothing', null)).rejects.toMatchObject({ status: 404 })
  await expect(move(entryIds[0], 'nothing')).rejects.toMatchObject({ status: 404 })
})

test('position keys stay short under repeated moves to one position', async () => {
  const { id, videoIds, entryIds } = await makePlaylist(3)
  for (let n = 0; n < 300; n += 1) {
    await viewer.client.call(contract.moveInPlaylist, {
      params: { playlistId: id, entryId: entryIds[1 + (n % 2)] ?? '' },
      body: { afterEntryId: entryIds[0] ?? '' },
    })
  }
  const [a, b, c] = videoIds
  expect(await videosOf(viewer.client, id)).toEqual([a, c, b])
  const { rows } = await sql<{ length: number }>`
    select max(length(position)) as length from playlist_entries where playlist_id = ${id}`.execute(site.db)
  expect(rows[0]?.length).toBeLessThanOrEqual(40)
})

test('adds all of twenty videos concurrently', async () => {
  const { _id: id } = await create()
  const videoIds = await addVideos(20)
  await Promise.all(videoIds.map((videoId) => add(id, videoId)))
  expect(new Set(await videosOf(viewer.client, id))).toEqual(new Set(videoIds))
  expect(await read(viewer.client, id)).toMatchObject({ videosCount: 20 })
})

test('shows removable placeholders for deleted and taken-down videos', async () => {
  const { id, videoIds, entryIds } = await makePlaylist(4)
  const [first, deleted, takenDown, last] = videoIds
  await creator.client.call(deleteVideo, { params: { id: deleted ?? '' } })
  await site.db
    .updateTable('videos')
    .set({ takedownReason: 'No rights' })
    .where('id', '=', takenDown ?? '')
    .execute()
  expect(await videosOf(viewer.client, id)).toEqual([first, null, null, last])
  expect(await read(viewer.client, id)).toMatchObject({ videosCount: 4, unavailableCount: 2, duration: 73 })
  const around = { playlistId: id, videoId: first ?? '' }
  expect(await viewer.client.call(contract.findInPlaylist, { params: around })).toMatchObject({
    index: 0,
    previous: null,
    next: { _id: last },
  })
  for (const entryId of [entryIds[1], entryIds[2]]) {
    const params = { playlistId: id, entryId: entryId ?? '' }
    await viewer.client.call(contract.removeFromPlaylist, { params })
    await expect(viewer.client.call(contract.removeFromPlaylist, { params })).rejects.toMatchObject({
      status: 404,
    })
  }
  expect(await videosOf(viewer.client, id)).toEqual([first, last])
  expect(await read(viewer.client, id)).toMatchObject({ videosCount: 2, unavailableCount: 0 })
})

test('shuffles every entry once, in the same order for the same seed', async () => {
  const { id, videoIds } = await makePlaylist(12)
  const shuffled = await videosOf(viewer.client, id, { shuffle: 'seed1', limit: 5 })
  expect(shuffled).not.toEqual(videoIds)
  expect(shuffled).toHaveLength(12)
  expect(new Set(shuffled)).toEqual(new Set(videoIds))
  expect(await videosOf(viewer.client, id, { shuffle: 'seed1' })).toEqual(shuffled)
  expect(await videosOf(viewer.client, id, { shuffle: 'seed2' })).not.toEqual(shuffled)
  const here = await viewer.client.call(contract.findInPlaylist, {
    params: { playlistId: id, videoId: shuffled[5] ?? '' },
    query: { shuffle: 'seed1' },
  })
  expect(here).toMatchObject({ index: 5, previous: { _id: shuffled[4] }, next: { _id: shuffled[6] } })
})

test('starts a page a few entries before a video', async () => {
  const { id, videoIds } = await makePlaylist(8)
  const placeOf = (index: number) =>
    viewer.client.call(contract.findInPlaylist, {
      params: { playlistId: id, videoId: videoIds[index] ?? '' },
    })
  expect((await placeOf(2)).startCursor).toBeNull()
  const { startCursor } = await placeOf(6)
  const page = await viewer.client.call(contract.listPlaylistEntries, {
    params: { playlistId: id },
    query: { cursor: startCursor ?? '' },
  })
  expect(page.items.map(({ video }) => video?._id)).toEqual(videoIds.slice(2))
  const [foreign = ''] = await addVideos(1)
  const params = { playlistId: id, videoId: foreign }
  await expect(viewer.client.call(contract.findInPlaylist, { params })).rejects.toMatchObject({
    status: 404,
  })
})

test('every account has one private Watch later, which cannot be deleted', async () => {
  const params = { playlistId: watchLaterId }
  const lists = await Promise.all(
    Array.from({ length: 5 }, () => viewer.client.call(contract.listOwnPlaylists, {})),
  )
  expect(lists.map((list) => list.length)).toEqual([1, 1, 1, 1, 1])
  expect(lists[0]?.[0]).toMatchObject({ title: 'Watch later', isWatchLater: true, visibility: 'private' })
  const [videoId = ''] = await addVideos(1)
  const { entryId } = await add(watchLaterId, videoId)
  expect(await videosOf(viewer.client, watchLaterId)).toEqual([videoId])
  expect(await videosOf(stranger.client, watchLaterId)).toEqual([])
  expect(await viewer.client.call(contract.listPlaylistsOfVideo, { params: { id: videoId } })).toEqual([
    { playlistId: lists[0]?.[0]?._id, entryId },
  ])
  const saved = (person: Person) => person.client.call(contract.listSavedForLater, {})
  expect(await saved(viewer)).toEqual([{ videoId, entryId }])
  expect(await saved(stranger)).toEqual([])
  expect((await site.client().get(`/api/v1/playlists/${watchLaterId}`)).status).toBe(404)
  for (const change of [
    () => viewer.client.call(contract.updatePlaylist, { params, body: { visibility: 'public' } }),
    () => viewer.client.call(contract.deletePlaylist, { params }),
  ]) {
    await expect(change()).rejects.toMatchObject({ status: 403 })
  }
})

test('private playlists are visible to their owner, unlisted and public ones to everybody', async () => {
  const { id, videoIds } = await makePlaylist(1)
  const visitors = [site.client(), stranger.client]
  for (const client of visitors) {
    for (const path of ['', '/entries', `/around/${videoIds[0]}`, '/export.json', '/export.m3u']) {
      expect([path, (await client.get(`/api/v1/playlists/${id}${path}`)).status]).toEqual([path, 404])
    }
  }
  expect((await stranger.client.patch(`/api/v1/playlists/${id}`, { title: 'Mine' })).status).toBe(404)
  for (const visibility of ['unlisted', 'public'] as const) {
    await viewer.client.call(contract.updatePlaylist, { params: { playlistId: id }, body: { visibility } })
    for (const client of visitors) expect(await videosOf(client, id)).toEqual(videoIds)
    for (const [method, path, body] of [
      ['PATCH', '', { title: 'Mine' }],
      ['DELETE', '', undefined],
      ['PUT', `/videos/${videoIds[0]}`, undefined],
    ] as const) {
      const { status } = await stranger.client.send(method, `/api/v1/playlists/${id}${path}`, body)
      expect([method, path, status]).toEqual([method, path, 403])
    }
  }
})

test('changes the given fields and clears the description', async () => {
  const { _id: playlistId } = await create()
  const change = (body: object) => viewer.client.patch(`/api/v1/playlists/${playlistId}`, body)
  await change({ title: ' Night ', description: 'For slow evenings' })
  expect(await read(viewer.client, playlistId)).toMatchObject({
    title: 'Night',
    description: 'For slow evenings',
  })
  await change({ title: '', description: '' })
  expect(await read(viewer.client, playlistId)).toMatchObject({ title: 'Night', description: '' })
  expect((await change({ title: 'x'.repeat(201) })).status).toBe(400)
  expect((await change({ visibility: 'secret' })).status).toBe(400)
})

test('deleting a playlist deletes its entries and keeps the videos', async () => {
  const { id, videoIds } = await makePlaylist(2)
  await viewer.client.call(contract.deletePlaylist, { params: { playlistId: id } })
  expect((await viewer.client.get(`/api/v1/playlists/${id}`)).status).toBe(404)
  expect((await site.client().get(`/api/v1/video/${videoIds[0]}`)).status).toBe(200)
})

/** Inserts entries directly; returns the ids of the videos in order. */
async function fill(playlistId: string, count: number): Promise<string[]> {
  const [template = ''] = await addVideos(1)
  return await withLongStatements(site.db, async (transaction) => {
    const { rows } = await sql<{ videoId: string }>`
      with made as (
        insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds, width,
          height, source)
        select v.id || lpad(n::text, 5, '0'), owner_id, title, description, thumbnail || n, source_key || n, size_bytes,
          duration_seconds, width, height, source
        from videos v, generate_series(1, ${count}::int) n where v.id = ${template} returning id
      )
      insert into playlist_entries (id, playlist_id, video_id, position)
      select 'e' || id, ${playlistId}, id, 'b' || right(id, 5) from made returning video_id`.execute(
      transaction,
    )
    await sql`update playlists set entries_count = ${count} where id = ${playlistId}`.execute(transaction)
    return rows.map(({ videoId }) => videoId).toSorted()
  })
}

test('has at most 5,000 videos and reports when it is full', { tags: ['nightly'] }, async () => {
  const { _id: id } = await create()
  const videoIds = await fill(id, contract.playlistMaxEntries)
  const [one = ''] = await addVideos(1)
  await expect(add(id, one)).rejects.toMatchObject({
    status: 409,
    message: 'A playlist holds at most 5,000 videos. Remove some or use another one.',
  })
  expect(await videosOf(viewer.client, id)).toEqual(videoIds)
  const shuffled = await videosOf(viewer.client, id, { shuffle: 'seed' })
  expect(new Set(shuffled).size).toBe(contract.playlistMaxEntries)
  const place = await viewer.client.call(contract.findInPlaylist, {
    params: { playlistId: id, videoId: videoIds[4000] ?? '' },
  })
  expect(place).toMatchObject({ index: 4000, next: { _id: videoIds[4001] } })
})

test('an account has at most 500 playlists next to Watch later', async () => {
  await viewer.client.call(contract.listOwnPlaylists, {})
  await sql`
    insert into playlists (id, owner_id, title)
    select ${viewer.user._id} || n, ${viewer.user._id}, 'List ' || n
    from generate_series(1, ${contract.playlistsPerAccount - 1}) n`.execute(site.db)
  await create()
  await expect(create()).rejects.toMatchObject({
    status: 409,
    message: 'An account has at most 500 playlists. Delete one to create another.',
  })
})

test('exports JSON and M3U with links that other programs open', async () => {
  const { id, videoIds } = await makePlaylist(3, 'unlisted')
  await creator.client.call(deleteVideo, { params: { id: videoIds[1] ?? '' } })
  expect((await site.client().get('/api/v1/playlists/%00/export.json')).status).toBe(404)
  const json = await site.client().get(`/api/v1/playlists/${id}/export.json`)
  expect(json.headers.get('content-disposition')).toBe('attachment; filename="playlist.json"')
  expect(JSON.parse(json.text)).toMatchObject({
    title: 'Light',
    videos: [
      { title: 'Video 0', url: `${site.origin}/video/${videoIds[0]}`, durationSeconds: 36.5 },
      { title: null, url: null },
      { title: 'Video 2', channel: creator.user.username },
    ],
  })
  const m3u = await site.client().get(`/api/v1/playlists/${id}/export.m3u`)
  expect(m3u.headers.get('content-type')).toBe('audio/x-mpegurl; charset=utf-8')
  const { fullname } = creator.user
  expect(m3u.text).toBe(
    `#EXTM3U
#PLAYLIST:Light
#EXTINF:37,${fullname} - Video 0
${site.origin}/media/videos/${videoIds[0]}/master.m3u8
#EXTINF:37,${fullname} - Video 2
${site.origin}/media/videos/${videoIds[2]}/master.m3u8
`,
  )
})

test('rejects malformed cursors and seeds', async () => {
  const { _id: id } = await create()
  for (const query of ['cursor=a%00', 'cursor=-', 'shuffle=a-b', 'limit=0']) {
    const { status } = await viewer.client.get(`/api/v1/playlists/${id}/entries?${query}`)
    expect([query, status]).toEqual([query, 400])
  }
})
