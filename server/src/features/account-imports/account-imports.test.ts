import { buffer } from 'node:stream/consumers'
import { putChannelProfile } from '@kinora/contract/channels.ts'
import { addComment, addReply, listComments } from '@kinora/contract/comments.ts'
import { dismissChannel, dismissVideo } from '@kinora/contract/recommendations.ts'
import { updateHistory } from '@kinora/contract/history.ts'
import { deleteAccountImport, getAccountImport } from '@kinora/contract/imports.ts'
import { toggleCommentLike, toggleVideoLike } from '@kinora/contract/likes.ts'
import { mutePerson } from '@kinora/contract/mutes.ts'
import { listNotifications } from '@kinora/contract/notifications.ts'
import { addToPlaylist, createPlaylist, listOwnPlaylists } from '@kinora/contract/playlists.ts'
import { changeOwnVideo } from '@kinora/contract/studio.ts'
import { createChannelGroup, toggleSubscription } from '@kinora/contract/subscriptions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { putSubscriptionsPrivate } from '../subscriptions/queries.ts'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { drawClip } from '../../testing/fixtures/test-clips.ts'
import { importInto, startImport, zipOf } from '../../testing/fixtures/test-imports.ts'
import { begin, tus, upload, uploads } from '../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../../testing/fixtures/test-videos.ts'
import { archiveOf } from '../account-exports/actions/archive.ts'
import { putWatchedWords } from '../comments/queries.ts'
import { putOfProcessing, replaceMuted } from '../notifications/queries.ts'
import { importAccount } from './jobs.ts'

let site: TestApp
const never = new AbortController().signal

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

type Person = Awaited<ReturnType<typeof signUp>>

/** The archive of an account, as an export makes it. */
const exportAccount = ({ user }: Person): Promise<Buffer> =>
  buffer(archiveOf(site.context, { userId: user._id, onBytes: async () => undefined }, never))

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}

/** A small archive with what is given. */
const archiveWith = async ({ user }: Person, files: Record<string, unknown>): Promise<Buffer> => {
  const own = await unzip(await exportAccount(await signUp(site)))
  const account = JSON.parse(String(own.get('account.json')))
  return zipOf({ 'account.json': { ...account, id: `of ${user._id}`, avatar: null }, ...files })
}

/** An account with every kind of content. */
async function fill(member: Person, other: Person): Promise<void> {
  const { client, user } = member
  const first = (await upload(client, 'Glacier'))._id
  const second = (await upload(client, 'Moraine', await drawClip('webm')))._id
  await client.call(changeOwnVideo, {
    params: { id: first },
    body: {
      description: '0:00 Ice\n0:01 Water',
      tags: ['ice'],
      category: 'travel',
      language: 'de',
      licence: 'cc-by-4.0',
      downloadsAllowed: true,
      commentsHeld: true,
    },
  })
  await client.call(changeOwnVideo, {
    params: { id: second },
    body: { visibility: 'private', viewers: [other.user.username] },
  })
  await addTestCaptions(site, first)
  await site.db
    .updateTable('videos')
    .set({ createdAt: new Date('2025-03-01') })
    .where('id', '=', first)
    .execute()
  const foreign = await addVideo(site, other.user._id, { title: 'Tide' })
  const thread = await client.call(addComment, { body: { videoId: first, content: 'Waves' } })
  await client.call(addReply, { params: { commentId: thread._id }, body: { content: 'More waves' } })
  await client.call(addComment, { body: { videoId: foreign, content: 'Elsewhere' } })
  for (const id of [first, foreign]) await client.call(toggleVideoLike, { params: { id } })
  await client.call(toggleCommentLike, { params: { commentId: thread._id } })
  for (const videoId of [foreign, second]) await client.call(updateHistory, { params: { videoId } })
  await client.call(toggleSubscription, { params: { username: other.user.username } })
  await client.call(createChannelGroup, { body: { name: 'Seas', usernames: [other.user.username] } })
  for (const title of ['Water', 'watchlater']) {
    const playlistId =
      title === 'watchlater' ? title : (await client.call(createPlaylist, { body: { title } }))._id
    for (const videoId of [foreign, second, first])
      await client.call(addToPlaylist, { params: { playlistId, videoId } })
  }
  const dismissed = await addVideo(site, other.user._id, { title: 'Dull' })
  await client.call(dismissVideo, { params: { videoId: dismissed } })
  await client.call(dismissChannel, { params: { username: other.user.username } })
  const muted = await signUp(site)
  await client.call(mutePerson, {
    params: { username: muted.user.username },
    body: { isBlocked: true },
  })
  await putWatchedWords(site.db, user._id, { watchedWords: 'casino', watchedWordsAction: 'refuse' })
  await replaceMuted(site.db, user._id, ['comment'])
  await putSubscriptionsPrivate(site.db, user._id, true)
  await client.call(putChannelProfile, {
    body: { about: 'About ice', links: ['https://example.org/'], pinnedVideoId: first },
  })
}

const isOwn = new Set(['id', 'exportedAt', 'username', 'fullname', 'email', 'createdAt'])

/** What an import may change of a row in a file: see docs/moving.md. Ids of own videos become their titles. */
function unchanging(name: string, row: Record<string, unknown>): Record<string, unknown> {
  if (name === 'account.json') {
    const groups = (row['channelGroups'] as object[]).map((group) => ({ ...group, createdAt: '' }))
    return {
      ...Object.fromEntries(Object.entries(row).filter(([key]) => !isOwn.has(key))),
      groups,
      channelGroups: [],
    }
  }
  // every account has had its own Watch later since it was created
  if (name === 'playlists.json')
    return { ...row, id: '', ...(row['isWatchLater'] === true && { createdAt: '', updatedAt: '' }) }
  if (name === 'comments.json') return { ...row, id: '', inReplyTo: row['inReplyTo'] !== null }
  if (name === 'comment-likes.json') return { ...row, comment: '' }
  return row
}

/** The files of an archive without what an import may change. */
async function comparable(archive: Buffer, { user }: Person): Promise<Record<string, unknown>> {
  const files = await unzip(archive)
  const own = [...files]
    .filter(([name]) => name.endsWith('video.json'))
    .map(([, bytes]) => JSON.parse(String(bytes)))
  const named = (text: string) => {
    const plain = own.reduce((left: string, { id, title }) => left.replaceAll(id, title), text)
    return plain.replaceAll(`"channel":"${user.username}"`, '"channel":"own"')
  }
  return Object.fromEntries(
    [...files].map(([name, bytes]) => {
      // pictures are encoded again
      if (name.endsWith('.webp')) return [named(name), 'a picture']
      if (!name.endsWith('.json') || name === 'schema.json') return [named(name), bytes.toString('base64')]
      const content: unknown = JSON.parse(String(bytes))
      if (!Array.isArray(content))
        return [named(name), named(JSON.stringify(unchanging(name, content as Record<string, unknown>)))]
      const rows = content.filter((row) => row.content !== 'Elsewhere')
      return [named(name), rows.map((row) => named(JSON.stringify(unchanging(name, row)))).toSorted()]
    }),
  )
}

test('an export of an imported account equals the export that was imported', async () => {
  const [member, other, fresh] = [await signUp(site), await signUp(site), await signUp(site)]
  await fill(member, other)
  const archive = await exportAccount(member)
  const { state, report, format, progress } = await importInto(site, fresh, archive)
  expect({ state, format, progress }).toEqual({ state: 'done', format: 'kinora', progress: 1 })
  expect(report.problems).toEqual([
    { kind: 'comments', name: 'Elsewhere', reason: 'Below “Tide”, a video of somebody else', address: null },
  ])
  const [before, after] = [
    await comparable(archive, member),
    await comparable(await exportAccount(fresh), fresh),
  ]
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted())
  for (const [name, content] of Object.entries(before)) expect([name, after[name]]).toEqual([name, content])

  const counts = await site.db
    .selectFrom('users')
    .select(['subscribedToCount'])
    .where('id', '=', fresh.user._id)
    .executeTakeFirstOrThrow()
  expect(counts.subscribedToCount).toBe(1)
  const own = await site.db
    .selectFrom('videos')
    .select(['id', 'likesCount'])
    .where('ownerId', '=', fresh.user._id)
    .where('title', '=', 'Glacier')
    .executeTakeFirstOrThrow()
  expect(own.likesCount).toBe(1)
  const { items } = await fresh.client.call(listComments, { params: { videoId: own.id } })
  expect(items).toMatchObject([{ content: 'Waves', likes: 1, replies: 1 }])

  const again = await importInto(site, fresh, archive)
  expect(again.report.counts.filter(({ imported }) => imported > 0)).toEqual([])
  expect(await comparable(await exportAccount(fresh), fresh)).toEqual(after)
  const back = await importInto(site, member, archive)
  expect(back.report.counts.filter(({ imported }) => imported > 0)).toEqual([])
})

const video = (fields: object) => ({
  id: 'origin1',
  title: 'Ice',
  description: '',
  visibility: 'public',
  publishAt: null,
  viewers: [],
  createdAt: '2024-01-02T03:04:05.000Z',
  tags: [],
  category: null,
  language: null,
  licence: null,
  commentsAllowed: true,
  commentsHeld: false,
  downloadsAllowed: false,
  file: 'videos/origin1/video.mp4',
  thumbnail: null,
  captions: [],
  ...fields,
})

test('reports what another site does not have, and files that are refused', async () => {
  const person = await signUp(site)
  const reference = { id: 'unknown', title: 'Far away', channel: 'nobody' }
  const when = '2024-01-02T03:04:05.000Z'
  const archive = await archiveWith(person, {
    'videos/bad/video.json': video({ id: 'bad', title: 'Broken', file: 'videos/bad/video.mp4' }),
    'videos/bad/video.mp4': Buffer.from('no video'),
    'videos/gone/video.json': video({ id: 'gone', title: 'Gone', file: '../../etc/passwd' }),
    'videos/odd/video.json': { title: 'Odd' },
    'video-likes.json': [{ video: reference, createdAt: when }, { nonsense: true }],
    'subscriptions.json': [{ channelId: 'unknown', channel: 'nobody', fullname: 'Nobody', createdAt: when }],
    'history.json': Buffer.from('no json'),
  })
  const { state, report } = await importInto(site, person, archive)
  expect(state).toBe('done')
  expect(report.problems.map(({ kind, name }) => [kind, name])).toEqual([
    ['videos', 'Broken'],
    ['videos', 'Gone'],
    ['videos', 'videos/odd/video.json'],
    ['likes of videos', 'video-likes.json, entry 2'],
    ['likes of videos', 'Far away'],
    ['history', 'history.json'],
    ['subscriptions', 'nobody'],
  ])
})

test('continues after a crash without doubling anything', async () => {
  const person = await signUp(site)
  const clip = await drawClip('mp4')
  const archive = await archiveWith(person, {
    'videos/origin1/video.json': video({}),
    'videos/origin1/video.mp4': clip,
    'videos/origin2/video.json': video({ id: 'origin2', file: 'videos/origin2/video.mp4' }),
    'videos/origin2/video.mp4': clip,
  })
  const job = await startImport(site, person, archive)
  // the process ends between the publication and the rest: the row of the second step cannot be written
  const controller = new AbortController()
  const stopping = importAccount.handle(
    job,
    { ...site.context, storage: stopAfterFirst(controller) },
    controller.signal,
  )
  await expect(stopping).rejects.toThrow('stopped')
  await importAccount.handle(job, site.context, never)
  const { report } = (await person.client.call(getAccountImport, {})) ?? {}
  expect(report?.counts.find(({ kind }) => kind === 'videos')).toEqual({
    kind: 'videos',
    imported: 2,
    present: 0,
    skipped: 0,
  })
  const rows = await site.db
    .selectFrom('videos')
    .select(['visibility', 'createdAt'])
    .where('ownerId', '=', person.user._id)
    .execute()
  expect(rows).toEqual(
    Array.from({ length: 2 }, () => ({
      visibility: 'public',
      createdAt: new Date('2024-01-02T03:04:05.000Z'),
    })),
  )
})

/** The storage, whose second video aborts the job. */
function stopAfterFirst(controller: AbortController): TestApp['storage'] {
  let sources = 0
  return new Proxy(site.storage, {
    get(storage, name) {
      const member: unknown = Reflect.get(storage, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        if (name === 'put' && String(given[0]).startsWith('sources/') && ++sources === 2)
          controller.abort(new Error('stopped'))
        return Reflect.apply(member, storage, given)
      }
    },
  })
}

test('stops when it is cancelled, and deletes the upload', async () => {
  const person = await signUp(site)
  const job = await startImport(site, person, await archiveWith(person, {}))
  const uploadId = job.uploadId
  expect((await person.client.post('/api/v1/users/import', { uploadId })).status).toBe(409)
  await person.client.call(deleteAccountImport, {})
  await importAccount.handle(job, site.context, never)
  expect(await person.client.call(getAccountImport, {})).toMatchObject({ state: 'cancelled' })
  expect((await person.client.post('/api/v1/users/import', { uploadId })).status).toBe(404)
  await person.client.call(deleteAccountImport, {})
  expect(await person.client.call(getAccountImport, {})).toBeNull()
  const playlists = await person.client.call(listOwnPlaylists, {})
  expect(playlists.filter(({ isWatchLater }) => !isWatchLater)).toEqual([])
})

test('imports texts without the characters that the database cannot store', async () => {
  const person = await signUp(site)
  const playlist = (id: string) => ({
    id,
    isWatchLater: false,
    title: 'Ice\ud800',
    description: '',
    visibility: 'private',
    createdAt: '2025-01-01T00:00:00Z',
    updatedAt: '2025-01-01T00:00:00Z',
    videos: [{ id: 'gone\0', title: null, channel: null, addedAt: '2025-01-01T00:00:00Z' }],
  })
  const archive = await archiveWith(person, { 'playlists.json': [playlist('a\0b'), playlist('a\udc00')] })
  const { state, report } = await importInto(site, person, archive)
  expect(state).toBe('done')
  expect(report.counts).toContainEqual({ kind: 'playlists', imported: 2, present: 0, skipped: 0 })
})

test('ends with the suspension of its account', async () => {
  const person = await signUp(site)
  const job = await startImport(site, person, await archiveWith(person, {}))
  const setSuspended = (suspendedAt: Date | null) =>
    site.db.updateTable('users').set({ suspendedAt }).where('id', '=', person.user._id).execute()
  await setSuspended(site.clock.now())
  await importAccount.handle(job, site.context, never)
  await setSuspended(null)
  expect((await importInto(site, person, await archiveWith(person, {}))).state).toBe('done')
})

test('accepts complete uploads of the caller only', async () => {
  const [person, stranger] = [await signUp(site), await signUp(site)]
  const place = await begin(person.client, 100)
  const body = { uploadId: place.split('/').at(-1) ?? '' }
  expect((await person.client.post('/api/v1/users/import', body)).status).toBe(409)
  expect((await stranger.client.post('/api/v1/users/import', body)).status).toBe(403)
})

test('fails with the reason for a file that is no archive', async () => {
  const person = await signUp(site)
  for (const [bytes, reason] of [
    [Buffer.from('no zip at all'), /cannot be imported/],
    [Buffer.from('PK\x03\x04 and no more'), /not a zip archive/],
    [await zipOf({ 'other.json': {} }), /cannot be imported/],
    [await zipOf({ 'account.json': { format: 'other' } }), /does not follow its schema/],
  ] as const) {
    const { state, failure } = await importInto(site, person, bytes)
    expect([state, failure]).toEqual(['failed', expect.stringMatching(reason)])
  }
})

test('keeps within the quota of the account', async () => {
  const person = await signUp(site)
  await site.db.updateTable('users').set({ quotaVideos: 1 }).where('id', '=', person.user._id).execute()
  const clip = await drawClip('mp4')
  const archive = await archiveWith(person, {
    'videos/origin1/video.json': video({}),
    'videos/origin1/video.mp4': clip,
    'videos/origin2/video.json': video({ id: 'origin2', file: 'videos/origin2/video.mp4' }),
    'videos/origin2/video.mp4': clip,
  })
  const { report } = await importInto(site, person, archive)
  expect(report.counts).toContainEqual({ kind: 'videos', imported: 1, present: 0, skipped: 1 })
  expect(report.problems).toMatchObject([{ kind: 'videos', reason: expect.stringContaining('quota') }])
})

test('counts the bytes of an archive once for the day', async () => {
  const person = await signUp(site)
  const archive = await archiveWith(person, {
    'videos/origin1/video.json': video({}),
    'videos/origin1/video.mp4': await drawClip('mp4'),
  })
  const quotaDailyBytes = archive.length
  await site.db.updateTable('users').set({ quotaDailyBytes }).where('id', '=', person.user._id).execute()
  const { report } = await importInto(site, person, archive)
  expect(report.counts).toContainEqual({ kind: 'videos', imported: 1, present: 0, skipped: 0 })
  expect((await tus(person.client, 'POST', uploads, { 'upload-length': '1' })).status).toBe(413)
})

test('notifies the owner of imported videos of the failed ones only', async () => {
  const person = await signUp(site)
  const archive = await archiveWith(person, {
    'videos/origin1/video.json': video({}),
    'videos/origin1/video.mp4': await drawClip('mp4'),
  })
  await importInto(site, person, archive)
  const { id } = await site.db
    .selectFrom('videos')
    .select('id')
    .where('ownerId', '=', person.user._id)
    .executeTakeFirstOrThrow()
  const notified = async (processingState: 'ready' | 'failed') => {
    await site.db.updateTable('videos').set({ processingState }).where('id', '=', id).execute()
    await putOfProcessing(site.db, id)
    return (await person.client.call(listNotifications, { query: {} })).items.map(({ kind }) => kind)
  }
  expect(await notified('ready')).toEqual([])
  expect(await notified('failed')).toEqual(['processing'])
})
