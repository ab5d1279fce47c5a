import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { deleteAccountImport, getAccountImport } from '@kinora/contract/portability/account-imports.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { listOwnPlaylists } from '@kinora/contract/watching/playlists.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ProcessLocks } from '@kinora/platform/db/process-locks.ts'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { exportAccount, importInto, startImport, unzip } from '../../../testing/fixtures/test-imports.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { begin, tus, uploads } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { keyOfText } from '@kinora/platform/text-key.ts'
import { changeSuspension } from '../../operations/people/actions.ts'
import {
  maxBytesInLists,
  maxBytesPerAccount,
  maxPerAccount,
} from '../../videos/imported-references/queries.ts'
import { notifyProcessingEnded } from '../../messages/notifications/queries/videos.ts'
import { ImportRun, importsAtOnce, maxSteps } from './actions/import-run.ts'
import { chunkSize } from './actions/resolve-items.ts'
import { runImport } from './actions/run-import.ts'
import { beginImport, beginImportByCommand } from './actions/begin-import.ts'
import { endLostImports, importAccount } from './jobs.ts'
import { findImportOf } from './queries.ts'
import { ArchiveReader } from '@kinora/importers/archives/archive-reader.ts'
import { upgraded } from '@kinora/importers/archives/upgraded.ts'

let site: TestApp
const never = new AbortController().signal

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

type Person = Awaited<ReturnType<typeof signUp>>

/** A small archive with what is given. */
const archiveWith = async ({ user }: Person, files: Record<string, unknown>): Promise<Buffer> => {
  const own = await unzip(await exportAccount(site, await signUp(site)))
  const account = JSON.parse(String(own.get('account.json')))
  return zipOf({ 'account.json': { ...account, id: `of ${user._id}`, icon: null }, ...files })
}

const video = (fields: object) => ({
  id: 'origin1',
  name: 'Ice',
  summary: '',
  visibility: 'public',
  publishAt: null,
  viewers: [],
  published: '2024-01-02T03:04:05.000Z',
  tags: [],
  category: null,
  language: null,
  licence: null,
  commentsAllowed: true,
  commentsHeld: false,
  downloadsAllowed: false,
  file: 'videos/origin1/video.mp4',
  image: null,
  captions: [],
  ...fields,
})

async function archiveOfTwoVideos(person: Person): Promise<Buffer> {
  const clip = await drawClip('mp4')
  return archiveWith(person, {
    'videos/origin1/video.json': video({}),
    'videos/origin1/video.mp4': clip,
    'videos/origin2/video.json': video({ id: 'origin2', file: 'videos/origin2/video.mp4' }),
    'videos/origin2/video.mp4': clip,
  })
}

test('reports what another site does not have, and files that are refused', async () => {
  const person = await signUp(site)
  const reference = { id: 'unknown', name: 'Far away', attributedTo: 'nobody' }
  const when = '2024-01-02T03:04:05.000Z'
  const archive = await archiveWith(person, {
    'videos/bad/video.json': video({ id: 'bad', name: 'Broken', file: 'videos/bad/video.mp4' }),
    'videos/bad/video.mp4': Buffer.from('no video'),
    'videos/gone/video.json': video({ id: 'gone', name: 'Gone', file: '../../etc/passwd' }),
    'videos/odd/video.json': { name: 'Odd' },
    'video-likes.json': [{ video: reference, published: when }, { nonsense: true }],
    'subscriptions.json': [{ id: 'unknown', preferredUsername: 'nobody', name: 'Nobody', published: when }],
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

test('reports references above the number that is kept', async () => {
  const person = await signUp(site)
  // in parts, because all at once take a slow machine longer than the statement timeout
  for (let from = 2; from <= maxPerAccount; from += 10_000) {
    const to = Math.min(from + 9_999, maxPerAccount)
    await sql`
      insert into imported_references (user_id, file, key, content)
      select ${person.user._id}, 'history.json', n, '{}' from generate_series(${from}::int, ${to}::int) n`.execute(
      site.db,
    )
  }
  const like = (id: string) => ({
    video: { id, name: null, attributedTo: null },
    published: '2024-01-02T03:04:05.000Z',
  })
  const archive = await archiveWith(person, {
    'video-likes.json': [like('far'), like('farther'), like('far')],
  })
  for (let count = 0; count < 2; count += 1) {
    const { report } = await importInto(site, person, archive)
    expect(report.problems[0]).toMatchObject({
      kind: 'likes of videos',
      name: 'video-likes.json',
      reason: '1 entry was left out, the limit is 100,000',
      address: null,
    })
  }
})

test('reports references above the bytes that are kept', { tags: ['nightly'] }, async () => {
  const person = await signUp(site)
  await sql`
    insert into imported_references (user_id, file, key, content, bytes)
    values (${person.user._id}, 'history.json', 'long', '{}', ${maxBytesPerAccount - 200})`.execute(site.db)
  const like = (id: string) => ({
    video: { id, name: null, attributedTo: null },
    published: '2024-01-02T03:04:05.000Z',
  })
  // the last batch leaves out nothing: it has only a reference that Kinora does not export
  const likes = Array.from({ length: chunkSize }, (_, index) => like(`far${index}`))
  const archive = await archiveWith(person, { 'video-likes.json': [...likes, like('far'.repeat(100))] })
  const { report } = await importInto(site, person, archive)
  expect(report.problems[0]).toMatchObject({ reason: '999 entries were left out, the limit is 100 MB' })
})

test('limits the bytes of references in playlists, groups and videos, and keeps others', async () => {
  const person = await signUp(site)
  await sql`
    insert into imported_references (user_id, file, list, key, content, bytes)
    values (${person.user._id}, 'playlists.json', 'long', 'long', '{}', ${maxBytesInLists - 200})`.execute(
    site.db,
  )
  const channels = ['far', 'farther', 'farthest'].map((id) => ({ id, preferredUsername: id.repeat(20) }))
  const published = '2024-01-02T03:04:05.000Z'
  const archive = await archiveWith(person, {
    'subscriptions.json': channels.map((channel) => ({ ...channel, name: '', published })),
  })
  const files = await unzip(archive)
  const account = JSON.parse(String(files.get('account.json')))
  const withGroup = await zipOf({
    ...Object.fromEntries(files),
    'account.json': { ...account, channelGroups: [{ name: 'Seas', published, channels }] },
  })
  const { report } = await importInto(site, person, withGroup)
  expect(report.problems.filter(({ reason }) => reason.includes('left out'))).toMatchObject([
    {
      kind: 'groups of channels',
      name: 'account.json',
      reason: '2 entries were left out, the limit is 16 MB',
      address: null,
    },
  ])
})

test('continues after a crash without doubling anything', async () => {
  const person = await signUp(site)
  const archive = await archiveOfTwoVideos(person)
  const job = await startImport(site, person, archive)
  // the process ends between the publication and the rest: the row of the second step cannot be written
  const controller = new AbortController()
  const storage = beforeSecondVideo(() => controller.abort(new Error('stopped')))
  const stopping = importAccount.handle(job, { ...site.context, storage }, controller.signal)
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

test('ends an import of too many entries with the reason', async () => {
  const person = await signUp(site)
  const archive = await archiveWith(person, { 'videos/odd/video.json': { name: 'Odd' } })
  const job = await startImport(site, person, archive)
  await withLongStatements(site.db, (transaction) =>
    sql`
      insert into account_import_steps (user_id, name_hash)
      select ${person.user._id}, n::text from generate_series(1, ${maxSteps}) n`.execute(transaction),
  )
  await importAccount.handle(job, site.context, never)
  expect(await person.client.call(getAccountImport, {})).toMatchObject({
    state: 'failed',
    failure: 'The archive has more than 100,000 videos and playlists',
  })
})

/** The storage, which does something before it stores a second video. */
function beforeSecondVideo(work: () => unknown): TestApp['storage'] {
  let sources = 0
  return new Proxy(site.storage, {
    get(storage, name) {
      const member: unknown = Reflect.get(storage, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        const go = (): unknown => Reflect.apply(member, storage, given)
        const isSecond = name === 'put' && String(given[0]).startsWith('sources/') && ++sources === 2
        return isSecond ? Promise.resolve(work()).then(go) : go()
      }
    },
  })
}

test(
  'lets imports that wait go on after a minute, and continues behind them',
  { tags: ['nightly'] },
  async () => {
    // the other tests of this site compare with the clock of the database
    onTestFinished(() => site.clock.set(new Date()))
    const person = await signUp(site)
    const archive = await archiveOfTwoVideos(person)
    const job = await startImport(site, person, archive)
    for (let count = 0; count < importsAtOnce; count += 1)
      await beginImport(site.context, (await signUp(site)).user._id)
    const countJobs = async () =>
      (await sql`select from pgboss.job where data->>'id' = ${job.id}`.execute(site.db)).rows.length
    const before = await countJobs()
    const storage = beforeSecondVideo(() => site.clock.advance(61_000))
    await importAccount.handle(job, { ...site.context, storage }, never)
    expect(await person.client.call(getAccountImport, {})).toMatchObject({ state: 'running' })
    expect(await countJobs()).toBe(before + 1)
    await importAccount.handle(job, site.context, never)
    const ended = await person.client.call(getAccountImport, {})
    expect(ended?.state).toBe('done')
    expect(ended?.report.counts).toContainEqual({ kind: 'videos', imported: 2, present: 0, skipped: 0 })
    // nothing would continue the import of a command
    const row = await beginImport(site.context, person.user._id)
    const reader = new ArchiveReader(site.context.config.dataDir, never)
    const ofCommand = new ImportRun(site.context, row, new Set(), { reader, signal: never })
    await ofCommand.step('first', async () => undefined)
    site.clock.advance(61_000)
    await ofCommand.step('second', async () => undefined)
    await site.db.deleteFrom('accountImports').where('state', '=', 'running').execute()
  },
)

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

test('recognizes items whose ids are longer than a row of an index', async () => {
  const person = await signUp(site)
  // PostgreSQL compresses what repeats
  const [accountId, videoId, playlistId, commentId] = Array.from({ length: 4 }, () =>
    randomBytes(3000).toString('base64url'),
  )
  const published = '2025-01-01T00:00:00Z'
  const reference = { id: videoId, name: 'Ice', attributedTo: null }
  const files = await unzip(await archiveWith(person, {}))
  const account = JSON.parse(String(files.get('account.json')))
  const comment = { video: reference, published, updated: null, isPinned: false, isHearted: false }
  const archive = await zipOf({
    'account.json': { ...account, id: accountId },
    'videos/origin1/video.json': video({ id: videoId }),
    'videos/origin1/video.mp4': await drawClip('mp4'),
    'playlists.json': [
      {
        id: playlistId,
        isWatchLater: false,
        name: 'Cold',
        summary: '',
        visibility: 'private',
        published,
        updated: published,
        orderedItems: [{ ...reference, addedAt: published }],
      },
    ],
    'comments.json': [
      { ...comment, id: commentId, inReplyTo: null, content: 'Ebb' },
      { ...comment, id: 'short', inReplyTo: commentId, content: 'Flow' },
    ],
    'comment-likes.json': [{ comment: commentId, video: reference, published }],
  })
  const kinds = ['videos', 'playlists', 'playlist entries', 'comments', 'likes of comments', 'profile']
  const { report } = await importInto(site, person, archive)
  const counts = report.counts.filter(({ kind }) => kinds.includes(kind))
  expect(counts.map(({ kind, imported }) => `${kind} ${imported}`).toSorted()).toEqual([
    'comments 2',
    'likes of comments 1',
    'playlist entries 1',
    'playlists 1',
    'profile 1',
    'videos 1',
  ])
  expect(report.problems).toEqual([])
  const again = await importInto(site, person, archive)
  expect(again.report.counts.filter(({ imported }) => imported > 0)).toEqual([])
})

test('imports texts without the characters that the database cannot store', async () => {
  const person = await signUp(site)
  const playlist = (id: string) => ({
    id,
    isWatchLater: false,
    name: 'Ice\ud800',
    summary: '',
    visibility: 'private',
    published: '2025-01-01T00:00:00Z',
    updated: '2025-01-01T00:00:00Z',
    orderedItems: [{ id: 'gone\0', name: null, attributedTo: null, addedAt: '2025-01-01T00:00:00Z' }],
  })
  const archive = await archiveWith(person, { 'playlists.json': [playlist('a\0b'), playlist('a\udc00')] })
  const { state, report } = await importInto(site, person, archive)
  expect(state).toBe('done')
  expect(report.counts).toContainEqual({ kind: 'playlists', imported: 2, present: 0, skipped: 0 })
})

test('counts the import of a killed command as ended', async () => {
  const [lost, running] = [await signUp(site), await signUp(site)]
  const locks = new ProcessLocks(site.databaseUrl, site.context.log)
  const command = { ...site.context, locks }
  const held = await beginImportByCommand(command, running.user._id)
  const killed = await beginImportByCommand(command, lost.user._id)
  // as PostgreSQL does for a process that ends
  await killed[Symbol.asyncDispose]()
  const stateOf = async ({ client }: Person) => (await client.call(getAccountImport, {}))?.state
  expect([await stateOf(lost), await stateOf(running)]).toEqual(['running', 'running'])
  await endLostImports.handle({}, site.context, never)
  expect([await stateOf(lost), await stateOf(running)]).toEqual(['failed', 'running'])
  await expect(beginImportByCommand(site.context, running.user._id)).rejects.toThrow('running already')
  await held[Symbol.asyncDispose]()
  await locks.close()
  // begins without waiting for the job
  await using _again = await beginImportByCommand(site.context, running.user._id)
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

test('publishes nothing more once its account is suspended', async () => {
  const person = await signUp(site)
  const archive = await archiveOfTwoVideos(person)
  const job = await startImport(site, person, archive)
  const suspension = { isSuspended: true, hidesContent: true }
  const storage = beforeSecondVideo(() =>
    changeSuspension(site.context, null, person.user.username, suspension),
  )
  await importAccount.handle(job, { ...site.context, storage }, never)
  const own = site.db.selectFrom('videos').select('takedownReason').where('ownerId', '=', person.user._id)
  expect(await own.execute()).toEqual([{ takedownReason: 'The account is suspended' }])
  expect(await findImportOf(site.db, person.user._id)).toMatchObject({ state: 'cancelled' })
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
    [gzipSync(randomBytes(8_000_001)), /cannot be imported/],
    [Buffer.alloc(8_000_001, 'å'), /at most 8 MB/],
    [await zipOf({ 'other.json': {} }), /cannot be imported/],
    [await zipOf({ 'account.json': { format: 'other' } }), /is not valid\. Export/],
  ] as const) {
    const { state, failure } = await importInto(site, person, bytes)
    expect([state, failure]).toEqual(['failed', expect.stringMatching(reason)])
  }
})

test('keeps within the quota of the account', async () => {
  const person = await signUp(site)
  await site.db.updateTable('users').set({ quotaVideos: 1 }).where('id', '=', person.user._id).execute()
  const archive = await archiveOfTwoVideos(person)
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

test('replaces dates from the future by the time of the import', async () => {
  const [person, other] = [await signUp(site), await signUp(site)]
  const later = '2999-01-02T03:04:05.000Z'
  const own = { id: 'origin1', name: 'Ice', attributedTo: null }
  const stranger = { id: other.user._id, preferredUsername: other.user.username }
  const archive = await archiveWith(person, {
    'videos/origin1/video.json': video({ published: later }),
    'videos/origin1/video.mp4': await drawClip('mp4'),
    'playlists.json': [
      {
        id: 'later',
        isWatchLater: false,
        name: 'Soon',
        summary: '',
        visibility: 'public',
        published: later,
        updated: later,
        orderedItems: [{ ...own, addedAt: later }],
      },
    ],
    'video-likes.json': [{ video: own, published: later }],
    'comment-likes.json': [{ comment: 'later', video: own, published: later }],
    'history.json': [{ video: own, watchedAt: later, positionSeconds: 0 }],
    'subscriptions.json': [{ ...stranger, name: '', published: later }],
    'dismissed-videos.json': [{ video: own, dismissedAt: later }],
    'dismissed-channels.json': [{ ...stranger, dismissedAt: later }],
    'muted-people.json': [{ ...stranger, isBlocked: false, mutedAt: later }],
    'comments.json': [
      {
        id: 'later',
        video: own,
        inReplyTo: null,
        content: 'Soon',
        published: later,
        updated: later,
        isPinned: false,
        isHearted: false,
      },
    ],
  })
  const { report } = await importInto(site, person, archive)
  expect(report.counts.map(({ imported }) => imported > 0)).toEqual(report.counts.map(() => true))
  const { rows } = await sql`
    select 'videos' as place from videos where created_at > now() union
    select 'playlists' from playlists where greatest(created_at, updated_at) > now() union
    select 'entries' from playlist_entries where added_at > now() union
    select 'likes' from video_likes where created_at > now() union
    select 'likes of comments' from comment_likes where created_at > now() union
    select 'history' from watch_history where watched_at > now() union
    select 'subscriptions' from subscriptions where created_at > now() union
    select 'videos' from dismissed_videos where dismissed_at > now() union
    select 'channels' from dismissed_channels where dismissed_at > now() union
    select 'people' from muted_people where muted_at > now()`.execute(site.db)
  expect(rows).toEqual([])
  const { createdAt, editedAt, age } = await site.db
    .selectFrom('comments')
    .select(['createdAt', 'editedAt', sql<number>`extract(epoch from now() - created_at)::float8`.as('age')])
    .where('authorId', '=', person.user._id)
    .executeTakeFirstOrThrow()
  expect(age).toBeGreaterThanOrEqual(0)
  expect(age).toBeLessThan(3600)
  expect(editedAt).toEqual(createdAt)
})

test('imports an archive of odd and repeated rows', async () => {
  const person = await signUp(site)
  const published = '2024-01-02T03:04:05.000Z'
  const own = { id: 'origin1', name: 'Ice', attributedTo: null }
  const comment = { video: own, inReplyTo: null, published, updated: null, isPinned: true, isHearted: true }
  const like = { video: own, published }
  const watched = { video: own, watchedAt: published, positionSeconds: 1e308 }
  const account = (await unzip(await archiveWith(person, {}))).get('account.json')
  const archive = await zipOf({
    // an editor added a byte order mark
    'account.json': `\uFEFF${String(account)}`,
    'videos/origin1/video.json': video({}),
    'videos/origin1/video.mp4': await drawClip('mp4'),
    'videos/origin1/sub/video.json': video({ id: 'deeper' }),
    'video-likes.json': [like, like],
    'comment-likes.json': [
      { ...like, comment: 'twice' },
      { ...like, comment: 'twice' },
    ],
    'history.json': [watched, watched],
    'subscriptions.json': `[${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}]`,
    'comments.json': [
      { ...comment, id: 'twice', content: 'Ebb' },
      { ...comment, id: 'twice', content: 'Ebb' },
      { ...comment, id: 'pinned', content: 'Flow' },
      { ...comment, id: 'empty', content: ' \u200B\n' },
    ],
  })
  const { state, report } = await importInto(site, person, archive)
  expect(state).toBe('done')
  expect(report.problems.map(({ kind, name }) => [kind, name])).toEqual([
    ['comments', 'empty'],
    ['subscriptions', expect.stringMatching(/^subscriptions\.json/)],
  ])
  expect(upgraded(Array.from({ length: 50_000 }).reduce((inner) => [inner], 1))).toBeUndefined()
  const comments = await site.db
    .selectFrom('comments')
    .select(['content', 'isPinned'])
    .where('authorId', '=', person.user._id)
    .orderBy('content')
    .execute()
  expect(comments).toEqual([
    { content: 'Ebb', isPinned: true },
    { content: 'Flow', isPinned: false },
  ])
  expect(
    (await importInto(site, person, archive)).report.counts.filter(({ imported }) => imported > 0),
  ).toEqual([])
})

test('reports everything once when a run is repeated', async () => {
  const directory = temporaryDirectory()
  const file = path.join(directory, 'archive.zip')
  const person = await signUp(site)
  const lists = await archiveWith(person, {
    'videos/odd/video.json': { name: 'Odd' },
    'playlists.json': [{ nonsense: true }],
    'comments.json': [{ nonsense: true }],
  })
  const takeout = await zipOf({ 'Takeout/lists.csv': 'a,b\n"1', 'Takeout/more.csv': 'Video ID\n1\n' })
  const peertube = await zipOf({
    'peertube/videos.json': { videos: [] },
    'peertube/video-playlists.json': 'no json',
    'peertube/following.json': 'no json',
  })
  for (const [archive, problems, lastStep] of [
    [lists, 3, 'profile'],
    [takeout, 1, 'comments'],
    [peertube, 2, 'subscriptions'],
  ] as const) {
    await writeFile(file, archive)
    const { id } = await beginImport(site.context, person.user._id)
    const runOnce = async () => {
      await site.db.updateTable('accountImports').set({ state: 'running' }).where('id', '=', id).execute()
      await runImport(site.context, id, file, never)
      return (await person.client.call(getAccountImport, {}))?.report.problems
    }
    const reported = await runOnce()
    expect(reported).toHaveLength(problems)
    const nameHash = keyOfText(lastStep)
    const { numDeletedRows } = await site.db
      .deleteFrom('accountImportSteps')
      .where('userId', '=', person.user._id)
      .where('nameHash', '=', nameHash)
      .executeTakeFirstOrThrow()
    expect(numDeletedRows).toBe(1n)
    expect(await runOnce()).toEqual(reported)
  }
})

test('uses each file of an archive once', async () => {
  const person = await signUp(site)
  const captions = { label: '', isDefault: false, fileTrack: null, file: 'videos/origin1/sea.vtt' }
  const archive = await archiveWith(person, {
    'videos/origin1/video.json': video({
      captions: [
        { ...captions, language: 'en' },
        { ...captions, language: 'fr' },
      ],
    }),
    'videos/origin1/video.mp4': await drawClip('mp4'),
    'videos/origin1/sea.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nSea\n',
    'videos/origin2/video.json': video({ id: 'origin2', name: 'Snow' }),
  })
  const first = await importInto(site, person, archive)
  const again = await importInto(site, person, archive)
  const skipped = { kind: 'videos', name: 'Snow', reason: 'Another part of the archive uses the same file' }
  expect(first.report.counts).toContainEqual({ kind: 'videos', imported: 1, present: 0, skipped: 1 })
  expect(first.report.counts).toContainEqual({ kind: 'captions', imported: 1, present: 0, skipped: 1 })
  expect(first.report.problems).toContainEqual(expect.objectContaining(skipped))
  expect(again.report.counts).toContainEqual({ kind: 'videos', imported: 0, present: 1, skipped: 1 })
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
    await notifyProcessingEnded(site.db, id)
    return (await person.client.call(listNotifications, { query: {} })).items.map(({ kind }) => kind)
  }
  expect(await notified('ready')).toEqual([])
  expect(await notified('failed')).toEqual(['processing'])
})
