import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { feedImportsPerAccount } from '@kinora/contract/constants.ts'
import {
  createFeedImport,
  deleteFeedImport,
  listFeedImports,
  updateFeedImport,
} from '@kinora/contract/portability/feed-imports.ts'
import { deleteVideoImport, listVideoImports } from '@kinora/contract/portability/video-imports.ts'
import { listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { upload, videoOf } from '../../../testing/fixtures/test-uploads.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { listen } from '@kinora/platform/testing/listen.ts'
import { changeSettings } from '../../operations/site/actions.ts'
import { reinstateUser, suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { runVideoImport } from '../video-imports/jobs.ts'
import { checkFeeds, importWaiting } from './jobs.ts'
import { insertEntries } from './queries.ts'
import type { WaitingEntry } from './rules.ts'

type Person = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let origin: string
let clip: Buffer
/** The feed of the server; undefined for a server that fails. */
let feed: string | undefined
let requests: IncomingMessage['headers'][] = []

function serve({ url: path, headers }: IncomingMessage, response: ServerResponse): void {
  if (path === '/404.mp4') return void response.writeHead(404).end()
  if (path?.endsWith('.mp4')) return void response.writeHead(200, { 'content-length': clip.length }).end(clip)
  if (path === '/huge') return void response.writeHead(200).end(' '.repeat(6 * 1024 ** 2))
  if (path === '/inward') return void response.writeHead(302, { location: 'http://10.1.2.3/feed' }).end()
  requests.push(headers)
  const etag = `"${feed?.length}"`
  if (feed === undefined) response.writeHead(503).end()
  else if (headers['if-none-match'] === etag) response.writeHead(304).end()
  else response.writeHead(200, { etag }).end(feed)
}

const server = createServer(serve)

beforeAll(async () => {
  clip = await videoOf(200_000)
  origin = await listen(server)
  site = await createTestApp({
    settings: {
      IMPORT_BY_ADDRESS: 'true',
      IMPORT_ALLOWED_ADDRESSES: '127.0.0.1',
      PREPARE_POLICY: 'none',
      QUOTA_VIDEOS: '3',
    },
  })
})
afterAll(async () => {
  await site.close()
  server.close()
  server.closeAllConnections()
})
beforeEach(async () => {
  await site.db.deleteFrom('feedImports').execute()
  requests = []
})

/** An entry of a feed, published on a day of March 2025. */
const item = (day: number, title = `Day ${day}`) => `<item>
  <title>${title}</title><guid isPermaLink="false">entry-${day}</guid>
  <pubDate>${new Date(Date.UTC(2025, 2, day)).toUTCString()}</pubDate>
  <description><![CDATA[<p>Ice &amp; <b>snow</b></p>]]></description>
  <category>Ice Caps</category><category>a/b</category>
  <enclosure url="/${day}.mp4" type="video/mp4" length="1"/></item>`

/** A feed, the newest entry first. */
const rss = (...items: string[]) =>
  `<rss version="2.0"><channel><title>Glaciers</title><link>https://example.org</link>${items.toReversed().join('')}</channel></rss>`

/** Checks the feeds that are due, and begins imports. */
async function check(): Promise<void> {
  await checkFeeds.handle({}, site.context, AbortSignal.timeout(60_000))
  await importWaiting.handle({}, site.context, AbortSignal.timeout(60_000))
}

const later = (hours: number) => site.clock.advance(hours * 3600 * 1000)

/** Runs the imports of a person to their end. */
async function runImports({ client }: Person): Promise<void> {
  for (const { _id: id, state } of await client.call(listVideoImports, {}))
    if (state === 'waiting') await runVideoImport.handle({ id }, site.context, AbortSignal.timeout(60_000))
}

/** Checks the feeds that are due, and runs the imports of a person to their end. */
async function checkAndImport(person: Person): Promise<void> {
  await check()
  await runImports(person)
}

const add = ({ client }: Person, body: { importsExisting?: boolean; visibility?: 'public' } = {}) =>
  client.call(createFeedImport, { body: { url: `${origin}/feed`, ...body } })

const titlesOf = async ({ client }: Person) =>
  (await client.call(listOwnVideos, {})).videos.map(({ title }) => title).toSorted()

const only = async ({ client }: Person) => {
  const feeds = await client.call(listFeedImports, {})
  expect(feeds).toHaveLength(1)
  return feeds[0]
}

test('imports new entries once, private by default, as the feed describes them', async () => {
  const person = await signUp(site)
  feed = rss(item(1))
  expect(await add(person)).toMatchObject({ title: null, checkedAt: null, isPaused: false })
  await check()
  expect(await only(person)).toMatchObject({
    title: 'Glaciers',
    importedCount: 0,
    waitingCount: 0,
    failure: null,
  })
  feed = rss(item(1), item(2))
  later(1)
  await check()
  expect(await only(person)).toMatchObject({ waitingCount: 1 })
  await runImports(person)
  expect(await titlesOf(person)).toEqual(['Day 2'])
  const id = (await person.client.call(listOwnVideos, {})).videos[0]?._id ?? ''
  const [video] = await person.client.call(getVideo, { params: { id } })
  expect(video).toMatchObject({
    visibility: 'private',
    description: 'Ice & snow',
    tags: ['ice-caps'],
    createdAt: '2025-03-02T00:00:00.000Z',
  })
  // a feed that lists an entry again, with other words
  feed = rss(item(1), item(2, 'Changed'))
  later(1)
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Day 2'])
  expect(await only(person)).toMatchObject({ importedCount: 1, waitingCount: 0 })
})

test('imports the videos that the feed has, without a notification of them', async () => {
  const [person, follower] = [await signUp(site), await signUp(site)]
  await follower.client.post(`/api/v1/sub/channel/${person.user.username}`)
  feed = rss(item(1), item(2))
  await add(person, { importsExisting: true, visibility: 'public' })
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Day 1', 'Day 2'])
  const announced = site.db
    .selectFrom('announcedVideos')
    .innerJoin('videos', 'videos.id', 'announcedVideos.videoId')
    .where('videos.ownerId', '=', person.user._id)
  expect(await announced.selectAll().execute()).toHaveLength(2)
  const notified = await site.db.selectFrom('notifications').selectAll().where('kind', '=', 'video').execute()
  expect(notified).toEqual([])
})

test('imports the feed of a channel of Kinora', async () => {
  const [channel, person] = [await signUp(site), await signUp(site)]
  await upload(channel.client, 'Moraine', clip)
  const url = `${site.origin}/feeds/channels/${channel.user.username}`
  await person.client.call(createFeedImport, { body: { url, importsExisting: true } })
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Moraine'])
})

test('a check or an import that is repeated after a crash imports nothing twice', async () => {
  const person = await signUp(site)
  feed = rss(item(1))
  await add(person, { importsExisting: true })
  await Promise.all([check(), check()])
  // the worker ended before it stored that the feed was checked
  await site.db
    .updateTable('feedImports')
    .set({ etag: null, nextCheckAt: new Date(0) })
    .execute()
  await checkAndImport(person)
  await site.db
    .updateTable('feedImports')
    .set({ etag: null, nextCheckAt: new Date(0) })
    .execute()
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Day 1'])
})

test('asks for what changed only, and not before an hour has passed', async () => {
  const person = await signUp(site)
  feed = rss(item(1))
  await add(person)
  await check()
  await check()
  expect(requests).toHaveLength(1)
  later(1)
  await check()
  expect(requests.map((headers) => headers['if-none-match'])).toEqual([undefined, `"${feed.length}"`])
  expect(await only(person)).toMatchObject({ title: 'Glaciers', failure: null })
})

test('says why a check failed, and waits longer after each failure', async () => {
  const person = await signUp(site)
  feed = undefined
  await add(person)
  for (const hours of [2, 4, 8, 16, 24, 24]) {
    await check()
    const { failure, checkedAt, nextCheckAt } = (await only(person)) ?? {}
    expect(failure).toBe('The server responded with status 503 instead of a feed')
    expect(new Date(nextCheckAt ?? 0).getTime() - new Date(checkedAt ?? 0).getTime()).toBe(
      hours * 3600 * 1000,
    )
    later(hours)
  }
  feed = rss(item(1))
  await check()
  expect(await only(person)).toMatchObject({ title: 'Glaciers', failure: null })
})

test.each([
  ['/huge', 'The feed is larger than 5 MB'],
  ['/inward', 'The address is in a private network.'],
  ['/clip.mp4', 'No RSS or Atom feed was found at this address.'],
])('refuses %s', async (path, failure) => {
  const { client } = await signUp(site)
  await client.call(createFeedImport, { body: { url: origin + path } })
  await check()
  expect(await client.call(listFeedImports, {})).toMatchObject([{ title: null, failure }])
})

test('keeps entries above the quota waiting, and imports them once there is room', async () => {
  const person = await signUp(site)
  feed = rss(item(1), item(2), item(3), item(4))
  for (const title of ['One', 'Two']) await upload(person.client, title, clip)
  await add(person, { importsExisting: true })
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Day 1', 'One', 'Two'])
  expect(await only(person)).toMatchObject({
    waitingCount: 3,
    failure: expect.stringMatching(/quota of 3 videos/),
  })
  const { videos } = await person.client.call(listOwnVideos, {})
  const id = videos.find(({ title }) => title === 'One')?._id ?? ''
  await person.client.call(deleteVideo, { params: { id } })
  later(0.25)
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Day 1', 'Day 2', 'Two'])
})

test('keeps entries waiting while no byte is left of the quota of a day', { tags: ['nightly'] }, async () => {
  const person = await signUp(site)
  feed = rss(item(1))
  await changeSettings(site.context, null, { quotaDailyBytes: clip.length })
  onTestFinished(() => changeSettings(site.context, null, { quotaDailyBytes: null }))
  await upload(person.client, 'One', clip)
  await add(person, { importsExisting: true })
  await check()
  expect(await only(person)).toMatchObject({
    waitingCount: 1,
    failure: expect.stringMatching(/your daily quota/),
  })
  expect(await person.client.call(listVideoImports, {})).toEqual([])
  await changeSettings(site.context, null, { quotaDailyBytes: null })
  later(0.25)
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Day 1', 'One'])
})

test('names an entry without a visible title after its file', { tags: ['nightly'] }, async () => {
  const person = await signUp(site)
  feed = rss(item(1), item(2, '&#x200b;&#xad;'), item(3))
  await add(person, { importsExisting: true })
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['2', 'Day 1', 'Day 3'])
})

/** Adds a feed with entries that wait, as if they had been read from it. */
async function addWaiting(person: Person, ...entries: Partial<WaitingEntry>[]): Promise<void> {
  const { _id: id } = await add(person)
  await site.db
    .updateTable('feedImports')
    .set({ nextCheckAt: site.clock.now() })
    .where('id', '=', id)
    .execute()
  const content = {
    url: `${origin}/1.mp4`,
    title: '',
    description: '',
    tags: [],
    publishedAt: null,
    notifiesSubscribers: true,
  }
  const waiting = entries.map((entry, number) => ({ key: `${number}`, content: { ...content, ...entry } }))
  await insertEntries(site.db, id, waiting)
}

test('drops an entry that is invalid, and imports those after it', async () => {
  const person = await signUp(site)
  await addWaiting(person, { publishedAt: '+012025-01-01T00:00:00.000Z' }, { title: 'Valid' })
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Valid'])
  expect(await only(person)).toMatchObject({ waitingCount: 0, failure: null })
})

test('a feed that cannot be imported stops no others', async () => {
  const [broken, person] = [await signUp(site), await signUp(site)]
  await addWaiting(broken, {})
  const content = sql<string>`replace(content, '"tags": []', '"tags": ["\\u0000"]')`
  await site.db.updateTable('feedImportEntries').set({ content }).execute()
  later(1)
  await addWaiting(person, { title: 'Valid' })
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Valid'])
  expect(await only(broken)).toMatchObject({ waitingCount: 1 })
})

test('a paused feed is not checked until it is resumed', async () => {
  const person = await signUp(site)
  feed = rss(item(1))
  const { _id: feedId } = await add(person)
  const pause = (isPaused: boolean) =>
    person.client.call(updateFeedImport, { params: { feedId }, body: { isPaused } })
  expect(await pause(true)).toMatchObject({ isPaused: true, nextCheckAt: null })
  await check()
  expect(requests).toEqual([])
  await pause(false)
  await check()
  expect(requests).toHaveLength(1)
  // one that is not paused is not due before its time
  const before = await only(person)
  expect(await pause(false)).toEqual(before)
  await check()
  expect(requests).toHaveLength(1)
})

test('repeats an import whose failure may pass, up to five times', { tags: ['nightly'] }, async () => {
  const [patient, other] = [await signUp(site), await signUp(site)]
  feed = rss(item(1), item(404))
  // less than the file needs, which is known once the transfer begins
  await changeSettings(site.context, null, { quotaBytes: clip.length - 1 })
  onTestFinished(() => changeSettings(site.context, null, { quotaBytes: null }))
  await add(patient, { importsExisting: true })
  for (const hours of [2, 4, 8, 16]) {
    await check()
    await runImports(patient)
    await check()
    later(hours)
  }
  feed = rss(item(1))
  await add(other, { importsExisting: true })
  await check()
  for (const person of [patient, other]) await runImports(person)
  const failures = (await patient.client.call(listVideoImports, {})).map(({ failure }) => failure)
  expect(failures.filter((failure) => failure?.includes('exceeds your quota'))).toHaveLength(5)
  expect(
    failures.filter((failure) => failure === 'There is no file at this address. Check the address.'),
  ).toHaveLength(1)
  await changeSettings(site.context, null, { quotaBytes: null })
  await check()
  later(24)
  await check()
  for (const person of [patient, other]) await runImports(person)
  expect(await titlesOf(patient)).toEqual([])
  expect(await only(patient)).toMatchObject({ waitingCount: 0 })
  expect(await titlesOf(other)).toEqual(['Day 1'])
})

test('does not repeat an import that its owner removed', async () => {
  const person = await signUp(site)
  feed = rss(item(1))
  await add(person, { importsExisting: true })
  await check()
  for (const { _id: importId } of await person.client.call(listVideoImports, {}))
    await person.client.call(deleteVideoImport, { params: { importId } })
  await check()
  later(24)
  await check()
  expect(await person.client.call(listVideoImports, {})).toEqual([])
  expect(await only(person)).toMatchObject({ waitingCount: 0 })
})

test('refuses an address that is too long once it is encoded', async () => {
  const { client } = await signUp(site)
  const url = `${origin}/${'é'.repeat(400)}`
  expect((await client.post('/api/v1/studio/feed-imports', { url })).status).toBe(400)
})

test('limits the feeds of an account, and keeps them from others', async () => {
  const [person, other] = [await signUp(site), await signUp(site)]
  const { _id: feedId } = await add(person)
  const path = '/api/v1/studio/feed-imports'
  expect((await person.client.post(path, { url: `${origin}/feed` })).status).toBe(409)
  for (let count = 1; count < feedImportsPerAccount; count += 1)
    await person.client.call(createFeedImport, { body: { url: `${origin}/feed?${count}` } })
  expect((await person.client.post(path, { url: `${origin}/feed?more` })).status).toBe(409)
  expect((await other.client.delete(`${path}/${feedId}`)).status).toBe(404)
  await person.client.call(deleteFeedImport, { params: { feedId } })
  expect(await person.client.call(listFeedImports, {})).toHaveLength(feedImportsPerAccount - 1)
})

test('the feeds of a suspended account rest, and go on once it is reinstated', async () => {
  const person = await signUp(site)
  const { _id: userId, username } = person.user
  feed = rss(item(1), item(2))
  await add(person, { importsExisting: true })
  await check()
  const begun = await person.client.call(listVideoImports, {})
  expect(begun).toHaveLength(2)
  requests = []
  await suspendUser(site.context, userId)
  for (const { _id: id } of begun)
    await runVideoImport.handle({ id }, site.context, AbortSignal.timeout(60_000))
  await check()
  later(24)
  await check()
  expect(requests).toEqual([])

  await reinstateUser(site.context, userId)
  await person.client.post('/api/v1/users/login', { username, password: testPassword })
  expect(await titlesOf(person)).toEqual([])
  await checkAndImport(person)
  expect(await titlesOf(person)).toEqual(['Day 1', 'Day 2'])
})
