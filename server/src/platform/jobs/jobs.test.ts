import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../../testing/fixtures/test-app.ts'
import { createLog } from '../log.ts'
import { defineJob, Jobs } from './jobs.ts'

interface Calls {
  tries: string[]
  givenUp: string[]
}

/** A job that records each try and its end in lists. */
const recorded = (
  name: string,
  limits: { retries: number; timeLimitSeconds: number },
  work: (signal: AbortSignal) => Promise<unknown>,
) =>
  defineJob({
    name: `test.${name}`,
    payload: z.object({}),
    concurrency: 1,
    ...limits,
    handle: async (_, { tries }: Calls, signal) => {
      tries.push(name)
      await work(signal)
    },
    giveUp: async (_, { givenUp }) => {
      givenUp.push(name)
    },
  })

const untilAborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort')
  throw new Error('aborted')
}

const fails = recorded('fails', { retries: 1, timeLimitSeconds: 600 }, () => Promise.reject(new Error('no')))
const hangs = recorded('hangs', { retries: 0, timeLimitSeconds: 1 }, untilAborted)
const works = recorded('works', { retries: 0, timeLimitSeconds: 600 }, () => Promise.resolve())
const isStopped = recorded('is_stopped', { retries: 0, timeLimitSeconds: 600 }, untilAborted)

test('gives up a job after its last try and after its time limit, not when the worker stops', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const jobs = [fails, hangs, works, isStopped]
  const ended: string[] = []
  const queue = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
    supervise: true,
    onRun: (job, outcome) => ended.push(`${job} ${outcome}`),
  })
  await queue.start(jobs)
  const seen: Calls = { tries: [], givenUp: [] }
  await queue.work(jobs, seen)
  for (const job of jobs) await queue.enqueue(site.db, job, {})
  const polling = { timeout: 60_000 }
  await expect.poll(() => seen.givenUp.toSorted(), polling).toEqual(['fails', 'hangs'])
  await expect
    .poll(() => seen.tries.toSorted(), polling)
    .toEqual(['fails', 'fails', 'hangs', 'is_stopped', 'works'])
  await queue.stop(1)
  await expect.poll(() => ended, polling).toContain('test.is_stopped failed')
  expect(seen.givenUp.toSorted()).toEqual(['fails', 'hangs'])
}, 120_000)

test('retries a job after its last try if giveUp asks for it', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  let failures = 3
  const recovers = {
    ...recorded('recovers', { retries: 0, timeLimitSeconds: 600 }, async () => {
      if (failures-- > 0) throw new Error('away')
    }),
    giveUp: async () => 'retry' as const,
  }
  const queue = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
    supervise: true,
    onRun: () => undefined,
  })
  await queue.start([recovers])
  const seen: Calls = { tries: [], givenUp: [] }
  await queue.work([recovers], seen)
  await queue.enqueue(site.db, recovers, {})
  await expect.poll(() => seen.tries.length, { timeout: 60_000 }).toBe(4)
  await queue.stop(1)
})

test('retries a job whose worker was killed in its last try, if the job has a giveUp handler', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const silent = { ...recorded('silent', { retries: 0, timeLimitSeconds: 600 }, () => Promise.resolve()) }
  delete silent.giveUp
  const jobs = [silent, works]
  const log = createLog('silent', 'worker')
  const before = new Jobs(site.databaseUrl, log, { supervise: false, onRun: () => undefined })
  await before.start(jobs)
  for (const job of jobs) await before.enqueue(site.db, job, {})
  await before.stop(1)
  await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 min'
    where name like 'test.%'`.execute(site.db)

  const queue = new Jobs(site.databaseUrl, log, { supervise: true, onRun: () => undefined })
  await queue.start(jobs)
  const seen: Calls = { tries: [], givenUp: [] }
  await queue.work(jobs, seen)
  await expect.poll(() => seen.tries, { timeout: 60_000 }).toEqual(['works'])
  const { rows } = await sql`select name, state from pgboss.job where name like 'test.%' order by 1`.execute(
    site.db,
  )
  expect(rows).toMatchObject([{ name: 'test.silent', state: 'failed' }, { name: 'test.works' }])
  await queue.stop(1)
}, 120_000)

test('keeps failed jobs for 14 days, and completed ones for an hour', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const queue = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
    supervise: true,
    onRun: () => undefined,
  })
  await queue.start([fails])
  await queue.enqueue(site.db, fails, {})
  await queue.stop()
  for (const state of ['failed', 'completed'])
    await sql`insert into pgboss.job (name, state, completed_on, deletion_seconds)
      select name, ${state}::pgboss.job_state, now() - interval '2 hours', deletion_seconds
      from pgboss.job where state = 'created'`.execute(site.db)

  const next = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
    supervise: true,
    onRun: () => undefined,
  })
  onTestFinished(() => next.stop())
  await next.start([fails])
  const { rows } = await sql<{ days: number }>`
    select deletion_seconds / 86400 as days from pgboss.job where state = 'failed'`.execute(site.db)
  expect(rows).toEqual([{ days: 14 }])
  const left = async () =>
    (await sql`select state from pgboss.job where name = 'test.fails' order by state`.execute(site.db)).rows
  await expect.poll(left, { timeout: 30_000 }).toEqual([{ state: 'created' }, { state: 'failed' }])
  expect(await next.listFailed(10)).toHaveLength(1)
  // the figure of the monitoring is that of the last hour
  const summary = await next.summarize()
  expect(summary.find(({ name }) => name === 'test.fails')).toMatchObject({ waiting: 1, failed: 0 })
})
