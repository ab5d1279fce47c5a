import type { WebhookEvent } from '@kinora/contract/messages/webhooks.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../../../context/context.ts'
import { newId } from '@kinora/platform/ids.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { insertWebhook } from '../../messages/webhooks/queries.ts'
import { retryPreparation } from './actions/retry-preparation.ts'
import { withVideo } from './actions/with-video.ts'
import { prepareRun } from './jobs.ts'

let site: TestApp
/** Another worker of the same site. */
let other: Context
const { signal } = new AbortController()

beforeAll(async () => {
  site = await createTestApp({ settings: { LOG_LEVEL: 'silent' } })
  const second = await createTestApp({
    databaseUrl: site.databaseUrl,
    settings: { LOG_LEVEL: 'silent' },
  })
  other = { ...second.context, storage: site.storage }
  return async () => second.close()
})
afterAll(() => site.close())

/** A video of one run, or of two. */
async function addVideo(runs: 1 | 2): Promise<{ id: string; ownerId: string }> {
  const minute = '-f lavfi -i testsrc2=s=64x36:r=1:d=60 -map 2 -c:v libx264 -g 4'
  const { id } = await publishSource(site, `${runs}.mp4`, runs === 1 ? h264 : minute, '64x36')
  const { ownerId } = await site.db
    .selectFrom('videos')
    .select('ownerId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const events: WebhookEvent[] = ['video.ready', 'video.failed']
  const webhook = { id: newId(), userId: ownerId, isSite: false, secret: 'whsec_x', createdAt: new Date() }
  await insertWebhook(site.db, { ...webhook, url: 'https://receiver.example', events }, 1)
  return { id, ownerId }
}

const stateOf = async (id: string) => (await getVideo(site.db, id)).processing.state
const countOf = async (id: string, table: 'preparedRuns' | 'trackBitrates') =>
  (await site.db.selectFrom(table).select('videoId').where('videoId', '=', id).execute()).length
const notificationsOf = (id: string) =>
  site.db.selectFrom('notifications').select(['kind', 'isRead']).where('videoId', '=', id).execute()
const deliveriesOf = (id: string) =>
  site.db
    .selectFrom('webhookDeliveries')
    .select(['id', 'event'])
    .where('subjectId', '=', id)
    .orderBy('createdAt')
    .execute()
const eventsOf = async (id: string) => (await deliveriesOf(id)).map(({ event }) => event)
const isUnread = { kind: 'processing', isRead: false }

/** Waits until so many statements wait for a lock. */
async function untilBlocked(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
      site.db,
    )
    expect(rows).toHaveLength(count)
  }, 60_000)
}

/** Makes inserts into a table do something until the test ends. */
async function onInsert(table: string, statement: string): Promise<() => Promise<unknown>> {
  const define = (text: string) => sql.raw(text).execute(site.db)
  await define(
    `create function on_insert() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`,
  )
  await define(`create trigger on_insert before insert on ${table} for each row execute function on_insert()`)
  const drop = () => define('drop function if exists on_insert cascade')
  onTestFinished(() => drop().then(() => undefined))
  return drop
}

/** Gives a video another file in a transaction that commits once the work waits for it, or has ended. */
async function replaceDuring(id: string, work: () => Promise<unknown>): Promise<void> {
  const replaced = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const replacing = site.db.transaction().execute(async (transaction) => {
    await sql`update videos set source_key = ${`sources/${id}/second`}, processing_progress = 0
      where id = ${id}`.execute(transaction)
    await sql`delete from prepared_runs where video_id = ${id}`.execute(transaction)
    await sql`delete from track_bitrates where video_id = ${id}`.execute(transaction)
    replaced.resolve()
    await mayCommit.promise
  })
  await replaced.promise
  const working = work()
  await Promise.race([working, untilBlocked(1)])
  mayCommit.resolve()
  await Promise.all([replacing, working])
}

test('exactly one of two workers that complete the last two runs finishes the video', async () => {
  const { id } = await addVideo(2)
  await onInsert('prepared_runs', 'perform pg_advisory_xact_lock_shared(39)')
  const mayCount = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = site.db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(39)`.execute(transaction)
    isHeld.resolve()
    await mayCount.promise
  })
  await isHeld.promise
  const runs = [site.context, other].map((context, run) =>
    prepareRun.handle({ videoId: id, run }, context, signal),
  )
  await untilBlocked(2)
  mayCount.resolve()
  await Promise.all([holding, ...runs])
  expect(await stateOf(id)).toBe('ready')
  expect(await eventsOf(id)).toEqual(['video.ready'])
  expect(await notificationsOf(id)).toEqual([isUnread])
  expect(await countOf(id, 'preparedRuns')).toBe(0)
})

test('a run that is repeated after the end leaves no record and announces nothing', async () => {
  const { id } = await addVideo(1)
  await prepareRun.handle({ videoId: id, run: 0 }, site.context, signal)
  const [first] = await deliveriesOf(id)
  await sql`update notifications set is_read = true where video_id = ${id}`.execute(site.db)
  await prepareRun.handle({ videoId: id, run: 0 }, other, signal)
  expect(await countOf(id, 'preparedRuns')).toBe(0)
  expect(await deliveriesOf(id)).toEqual([first])
  expect(await notificationsOf(id)).toEqual([{ ...isUnread, isRead: true }])
})

test('a run that ends while the file is replaced does not count for the new file', async () => {
  const { id } = await addVideo(2)
  await replaceDuring(id, () => prepareRun.handle({ videoId: id, run: 0 }, site.context, signal))
  expect(await countOf(id, 'preparedRuns')).toBe(0)
  expect((await getVideo(site.db, id)).processing).toEqual({ state: 'processing', progress: 0, reason: null })
})

test('the end of a file that is replaced does not end the new one', async () => {
  const { id } = await addVideo(1)
  await replaceDuring(id, () => prepareRun.handle({ videoId: id, run: 0 }, site.context, signal))
  expect(await stateOf(id)).toBe('processing')
  expect([await countOf(id, 'preparedRuns'), await countOf(id, 'trackBitrates')]).toEqual([0, 0])
  expect([await eventsOf(id), await notificationsOf(id)]).toEqual([[], []])
})

test('the failure of a replaced file is not one of the new file', async () => {
  const { id } = await addVideo(1)
  const failure = new Error('broken')
  const work = () => Promise.reject(failure)
  await expect(withVideo(site.context, id, work)).rejects.toBe(failure)
  await site.storage.put(`sources/${id}/second`, new Uint8Array(1))
  await sql`update videos set source_key = ${`sources/${id}/second`} where id = ${id}`.execute(site.db)
  expect(await prepareRun.giveUp?.({ videoId: id, run: 0 }, site.context, failure)).toBe('retry')
  expect(await stateOf(id)).toBe('processing')
  expect([await eventsOf(id), await notificationsOf(id)]).toEqual([[], []])
})

test('a worker that dies at the end loses neither notification nor event', async () => {
  const { id } = await addVideo(1)
  const drop = await onInsert('webhook_deliveries', `raise exception 'the worker died'`)
  const finish = () => prepareRun.handle({ videoId: id, run: 0 }, site.context, signal)
  await expect(finish()).rejects.toThrow('the worker died')
  expect(await stateOf(id)).toBe('processing')
  expect(await notificationsOf(id)).toEqual([])
  await drop()
  await finish()
  expect(await stateOf(id)).toBe('ready')
  expect(await notificationsOf(id)).toEqual([isUnread])
  expect(await eventsOf(id)).toEqual(['video.ready'])
})

test('a worker that dies while it records a failure loses neither notification nor event', async () => {
  const { id } = await addVideo(1)
  const drop = await onInsert('webhook_deliveries', `raise exception 'the worker died'`)
  const fail = async () => prepareRun.giveUp?.({ videoId: id, run: 0 }, site.context, new Error('broken'))
  await expect(fail()).rejects.toThrow('the worker died')
  expect(await stateOf(id)).toBe('processing')
  expect(await notificationsOf(id)).toEqual([])
  await drop()
  await fail()
  const { state, reason } = (await getVideo(site.db, id)).processing
  expect([state, reason]).toEqual([
    'failed',
    'Some parts of this video could not be prepared. The original plays.',
  ])
  expect(await notificationsOf(id)).toEqual([isUnread])
  expect(await eventsOf(id)).toEqual(['video.failed'])
})

test('a video whose runs all fail is announced once, and again after another try', async () => {
  const { id, ownerId } = await addVideo(2)
  const fail = (context: Context, run: number) =>
    prepareRun.giveUp?.({ videoId: id, run }, context, new Error('broken'))
  await Promise.all([fail(site.context, 0), fail(other, 1)])
  await sql`update notifications set is_read = true where video_id = ${id}`.execute(site.db)
  await fail(site.context, 0)
  expect(await eventsOf(id)).toEqual(['video.failed'])
  expect(await notificationsOf(id)).toEqual([{ ...isUnread, isRead: true }])
  await retryPreparation(site.context, id, ownerId)
  await fail(site.context, 0)
  const deliveries = await deliveriesOf(id)
  expect(deliveries.map(({ event }) => event)).toEqual(['video.failed', 'video.failed'])
  expect(new Set(deliveries.map((each) => each.id)).size).toBe(2)
  expect(await notificationsOf(id)).toEqual([isUnread])
})
