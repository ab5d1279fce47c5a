import { randomUUID } from 'node:crypto'
import { listAuditLog } from '@kinora/contract/operations/administration.ts'
import {
  dismissTranscriptions,
  getTranscriptionWork,
  listJobs,
  retryJobs,
  retryTranscriptions,
} from '@kinora/contract/operations/jobs.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { failedQueue } from '@kinora/platform/jobs/jobs.ts'
import { prepare } from '../../videos/playback/jobs.ts'
import { updateRole } from '../../accounts/users/queries.ts'

let site: TestApp
let client: TestClient

beforeAll(async () => {
  site = await createTestApp()
  const administrator = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
  client = administrator.client
})
afterAll(() => site.close())

/** Adds a job of an exclusive queue: at most one of a key waits or runs. */
const addJob = (key: string) => site.context.jobs.enqueue(site.db, prepare, { videoId: key }, { key })

/** Adds what pg-boss keeps of a job that failed. */
async function addFailed(key: string): Promise<string> {
  const id = randomUUID()
  await sql`insert into pgboss.job (id, name, data, singleton_key, source_name, source_id, source_output)
    values (${id}, ${failedQueue}, ${JSON.stringify({ videoId: key })}, ${key}, ${prepare.name}, ${randomUUID()},
      '{"message": "the disk was full"}')`.execute(site.db)
  return id
}

const queue = async () => (await client.call(listJobs, {})).queues.find(({ name }) => name === prepare.name)

test('retries a failed job once, however many press the button, and says so in the audit log', async () => {
  const id = await addFailed('salt')
  const { failed } = await client.call(listJobs, {})
  expect(failed).toMatchObject([
    { _id: id, name: 'playback.prepare', reason: 'the disk was full', videoId: 'salt' },
  ])
  expect(await queue()).toMatchObject({ waiting: 0, failed: 1 })
  const presses = [1, 2, 3].map(() => client.call(retryJobs, { body: { ids: [id, randomUUID()] } }))
  expect((await Promise.all(presses)).flatMap(({ ids }) => ids)).toEqual([id])
  expect(await queue()).toMatchObject({ waiting: 1, failed: 0 })
  const { entries } = await client.call(listAuditLog, { query: { text: id } })
  expect(entries).toMatchObject([{ action: 'retry_job', subject: id, details: 'playback.prepare' }])
})

test('leaves a failed job alone whose work a newer one does', async () => {
  const id = await addFailed('light')
  const other = await addFailed('shade')
  await addJob('light')
  expect(await client.call(retryJobs, { body: { ids: [id, other] } })).toEqual({ ids: [other] })
  expect((await client.call(listJobs, {})).failed).toMatchObject([{ _id: id }])
  await site.context.jobs.withdraw(prepare, 'light')
  expect(await client.call(retryJobs, { body: { ids: [id] } })).toEqual({ ids: [id] })
  expect((await client.call(listJobs, {})).failed).toEqual([])
})

test('lists automatic captions that failed, retries and dismisses them, and counts what waits', async () => {
  const { user } = await signUp(site)
  const add = async (title: string, state: string, changedAt: string) => {
    const id = await addVideo(site, user._id, { title, durationSeconds: 100, processingState: 'ready' })
    await sql`insert into transcriptions (video_id, state, progress, failure, cause, failed_attempts, seconds_recognized,
        seconds_taken, changed_at)
      values (${id}, ${state}, ${state === 'running' ? 0.5 : 1}, 'No speech', '{"reason": "speech_failed", "params": {}}', 2,
        100, 50, ${changedAt})`.execute(site.db)
    return id
  }
  const older = await add('Older', 'failed', '2026-01-01')
  const newer = await add('Newer', 'failed', '2026-01-02')
  await add('Begun', 'running', '2026-01-03')
  // chosen by the policy
  await addVideo(site, user._id, { title: 'Next', durationSeconds: 60, processingState: 'ready' })
  const work = await client.call(getTranscriptionWork, {})
  expect(work).toMatchObject({ isAvailable: false, waiting: 2, secondsWaiting: 110, secondsLeft: 55 })
  expect(work.failed).toMatchObject([
    {
      _id: newer,
      title: 'Newer',
      owner: user.username,
      reason: 'No speech',
      cause: { reason: 'speech_failed' },
    },
    { _id: older, title: 'Older' },
  ])
  const retry = () => client.call(retryTranscriptions, { body: { ids: [newer, 'AAAAAAAAAAAAAAAA'] } })
  expect([await retry(), await retry()]).toEqual([{ ids: [newer] }, { ids: [] }])
  const dismiss = () => client.call(dismissTranscriptions, { body: { ids: [older, newer] } })
  expect([await dismiss(), await dismiss()]).toEqual([{ ids: [older] }, { ids: [] }])
  expect(await client.call(getTranscriptionWork, {})).toMatchObject({
    waiting: 3,
    secondsWaiting: 210,
    failed: [],
  })
  const { entries } = await client.call(listAuditLog, { query: { text: newer } })
  expect(entries).toMatchObject([{ action: 'retry_job', subject: newer, details: 'transcriptions.run' }])
  const dismissed = await client.call(listAuditLog, { query: { text: older } })
  expect(dismissed.entries).toMatchObject([
    { action: 'dismiss_failure', subject: older, details: 'transcriptions.run', title: 'Older' },
  ])
})
