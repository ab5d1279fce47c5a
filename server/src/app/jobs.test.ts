import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../testing/fixtures/test-app.ts'
import { createLog } from '@kinora/platform/log.ts'
import { defineJob, failedQueue, Jobs } from '@kinora/platform/jobs/jobs.ts'

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
const isStopped = {
  ...recorded('is_stopped', { retries: 0, timeLimitSeconds: 600 }, untilAborted),
  maxAttempts: 1,
}

const withoutGiveUp = recorded('without_give_up', { retries: 0, timeLimitSeconds: 600 }, untilAborted)
delete withoutGiveUp.giveUp

test('gives up a job after its last try and after its time limit, not when workers stop', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const jobs = [fails, hangs, works, isStopped, withoutGiveUp]
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
    .toEqual(['fails', 'fails', 'hangs', 'is_stopped', 'without_give_up', 'works'])
  await queue.stop(1)
  await expect.poll(() => ended, polling).toContain('test.is_stopped failed')
  expect(seen.givenUp.toSorted()).toEqual(['fails', 'hangs'])

  for (let stops = 1; stops < 3; stops += 1) {
    const next = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
      supervise: false,
      onRun: () => undefined,
    })
    const seenNext: Calls = { tries: [], givenUp: [] }
    const stopped = [isStopped, withoutGiveUp]
    await next.start(stopped)
    await next.work(stopped, seenNext)
    await expect.poll(() => seenNext.tries.toSorted(), polling).toEqual(['is_stopped', 'without_give_up'])
    await next.stop(1)
    expect(seenNext.givenUp).toEqual([])
  }
}, 120_000)

test('retries a job after its last try if giveUp asks for it', { tags: ['nightly'] }, async () => {
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

test('ends a job whose giveUp keeps failing', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const broken = {
    ...recorded('broken', { retries: 0, timeLimitSeconds: 600 }, () => Promise.reject(new Error('no'))),
    giveUp: () => Promise.reject(new Error('not recorded')),
  }
  const queue = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
    supervise: true,
    onRun: () => undefined,
  })
  await queue.start([broken])
  await queue.enqueue(site.db, broken, {})
  // as after many attempts, without their pauses
  await sql`update pgboss.job set retry_count = 50 where name = ${broken.name}`.execute(site.db)
  await queue.work([broken], { tries: [], givenUp: [] })
  const failed = async () => (await queue.listFailed(5)).map(({ name, reason }) => ({ name, reason }))
  await expect.poll(failed, { timeout: 60_000 }).toEqual([{ name: broken.name, reason: 'not recorded' }])
  await queue.stop(1)
})

test('retries a job whose worker was killed in its last try, if it has a giveUp handler, up to its limit of attempts', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const silent = { ...recorded('silent', { retries: 0, timeLimitSeconds: 600 }, () => Promise.resolve()) }
  delete silent.giveUp
  const bounded = {
    ...recorded('bounded', { retries: 0, timeLimitSeconds: 600 }, () => Promise.resolve()),
    maxAttempts: 1,
  }
  const jobs = [bounded, silent, works]
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
  await expect.poll(() => seen.givenUp, { timeout: 60_000 }).toEqual(['bounded'])
  const states = async () => {
    const { rows } =
      await sql`select name, state from pgboss.job where name like 'test.%' order by 1`.execute(site.db)
    return rows
  }
  await expect
    .poll(states, { timeout: 60_000 })
    .toMatchObject([
      { name: 'test.bounded', state: 'failed' },
      { name: 'test.silent', state: 'failed' },
      { name: 'test.works' },
    ])
  await queue.stop(1)
}, 120_000)

test('retries no job that it runs itself, however late its heartbeats are', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const log = createLog('silent', 'worker')
  const queue = new Jobs(site.databaseUrl, log, { supervise: true, onRun: () => undefined })
  onTestFinished(() => queue.stop(0))
  const held = recorded('held', { retries: 0, timeLimitSeconds: 600 }, untilAborted)
  await queue.start([held, works])
  const seen: Calls = { tries: [], givenUp: [] }
  await queue.work([held], seen)
  // as on a machine that is too busy
  await sql`create function late() returns trigger language plpgsql as $$ begin
    new.heartbeat_on = now() - interval '30 s'; return new; end $$`.execute(site.db)
  await sql`create trigger late before update on pgboss.job
    for each row when (new.state = 'active') execute function late()`.execute(site.db)
  await queue.enqueue(site.db, held, {})
  await expect.poll(() => seen.tries, { timeout: 60_000 }).toEqual(['held'])
  const states = async () => {
    const { rows } = await sql<{ state: string }>`
      select state::text from pgboss.job where name like 'test.%' order by name`.execute(site.db)
    return rows.map(({ state }) => state)
  }
  // the job of a worker that was killed, twice: all lost jobs are found at once
  await queue.enqueue(site.db, works, {})
  for (const round of [1, 2]) {
    await sql`update pgboss.job set state = 'active', started_on = now(), retry_count = ${round}
      where name = ${works.name}`.execute(site.db)
    await expect.poll(async () => (await states())[1], { timeout: 60_000 }).toBe('retry')
  }
  expect([await states(), seen.tries]).toEqual([['active', 'retry'], ['held']])
})

test('keeps failed jobs for 14 days, and completed ones for an hour', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const queue = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
    supervise: true,
    onRun: () => undefined,
  })
  onTestFinished(() => queue.stop())
  const jobs = [fails, works]
  await queue.start(jobs)
  await queue.work(jobs, { tries: [], givenUp: [] })
  for (const job of jobs) await queue.enqueue(site.db, job, {})
  const polling = { timeout: 60_000 }
  await expect
    .poll(() => queue.listFailed(10), polling)
    .toMatchObject([{ name: 'test.fails', reason: 'no', data: {} }])
  const ended = async () => {
    const { rows } = await sql`select name, deletion_seconds as seconds from pgboss.job
      where name like 'test.%' and state in ('completed', 'failed') order by 1`.execute(site.db)
    return rows
  }
  await expect.poll(ended, polling).toEqual([
    { name: 'test.fails', seconds: 3600 },
    { name: 'test.works', seconds: 3600 },
  ])
  // as after the hour
  await sql`delete from pgboss.job where name like 'test.%'`.execute(site.db)
  expect(await queue.listFailed(10)).toHaveLength(1)
  const { rows } = await sql`select extract(day from keep_until - created_on)::int as days from pgboss.job
    where name = ${failedQueue}`.execute(site.db)
  expect(rows).toEqual([{ days: 14 }])
  const counts = async () => (await queue.summarize()).find(({ name }) => name === 'test.fails')
  expect(await counts()).toMatchObject({ waiting: 0, failed: 1 })
  // the figure of the monitoring is that of the last hour
  await sql`update pgboss.job set created_on = created_on - interval '2 hours'`.execute(site.db)
  expect(await counts()).toMatchObject({ waiting: 0, failed: 0 })
}, 120_000)

test('updates the options of an existing queue only if they have changed', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const start = async (timeLimitSeconds: number) => {
    const queue = new Jobs(site.databaseUrl, createLog('silent', 'web'), {
      supervise: false,
      onRun: () => {},
    })
    await queue.start([{ ...works, timeLimitSeconds }])
    await queue.stop()
    const { rows } = await sql<{ seconds: number; updatedOn: Date }>`
      select expire_seconds as seconds, updated_on from pgboss.queue where name = ${works.name}`.execute(
      site.db,
    )
    return rows[0]
  }
  const first = await start(600)
  expect(await start(600)).toEqual(first)
  expect((await start(700))?.seconds).toBe((first?.seconds ?? 0) + 100)
})

test('moves a job with a malformed payload to the dead letter queue without an attempt', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const payload = z.object({ id: z.string() })
  const handle = async (_: unknown, { tries }: Calls) => void tries.push('strict')
  const giveUp = async (_: unknown, { givenUp }: Calls) => void givenUp.push('strict')
  const options = { name: 'test.strict', concurrency: 1, timeLimitSeconds: 60, retries: 5 }
  const strict = defineJob({ ...options, payload, handle, giveUp })
  // as the version before, or after, encodes it
  const other = defineJob({ ...options, payload: z.object({ ids: z.array(z.string()) }), handle })
  const queue = new Jobs(site.databaseUrl, createLog('silent', 'worker'), {
    supervise: true,
    onRun: () => undefined,
  })
  onTestFinished(() => queue.stop(1))
  await queue.start([strict])
  const seen: Calls = { tries: [], givenUp: [] }
  await queue.work([strict], seen)
  await queue.enqueue(site.db, other, { ids: [] })
  await expect
    .poll(() => queue.listFailed(10), { timeout: 60_000 })
    .toMatchObject([{ name: 'test.strict', data: { ids: [] } }])
  expect(seen).toEqual({ tries: [], givenUp: [] })
})

test('replaces the job of a key that waits, and never one that a worker is taking', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const queue = new Jobs(site.databaseUrl, createLog('silent', 'web'), {
    supervise: false,
    onRun: () => undefined,
  })
  onTestFinished(() => queue.stop())
  await queue.start([works])
  const states = async () => {
    const { rows } = await sql<{ state: string }>`
      select state from pgboss.job where name = ${works.name} order by created_on`.execute(site.db)
    return rows.map(({ state }) => state)
  }
  const later = { key: 'video', startAt: new Date(Date.now() + 3600_000) }
  await queue.replace(site.db, works, {}, later)
  await queue.replace(site.db, works, {}, later)
  expect(await states()).toEqual(['created'])

  const taken = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const taking = site.db.transaction().execute(async (transaction) => {
    await sql`update pgboss.job set state = 'active' where name = ${works.name}`.execute(transaction)
    taken.resolve()
    await release.promise
  })
  await taken.promise
  const replacing = queue.replace(site.db, works, {}, later)
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
        site.db,
      )
      return rows.length
    })
    .toBe(1)
  release.resolve()
  await Promise.all([taking, replacing])
  expect((await states()).toSorted()).toEqual(['active', 'created'])
})

test('makes jobs by the clock exclusive, also in queues of the version before', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const start = async (job: typeof works) => {
    const queue = new Jobs(site.databaseUrl, createLog('silent', 'web'), {
      supervise: false,
      onRun: () => undefined,
    })
    onTestFinished(() => queue.stop())
    await queue.start([job])
    return queue
  }
  const scheduled = { ...works, cron: '* * * * *' }
  const before = await start(works)
  expect([await before.enqueue(site.db, works, {}), await before.enqueue(site.db, works, {})]).toEqual([
    true,
    true,
  ])
  await sql`delete from pgboss.job where name = ${works.name}`.execute(site.db)
  const after = await start(scheduled)
  expect([await after.enqueue(site.db, scheduled, {}), await after.enqueue(site.db, scheduled, {})]).toEqual([
    true,
    false,
  ])
})

test('refuses a handler that can run long and takes no signal', () => {
  const job = { ...works, timeLimitSeconds: 301 }
  expect(() => defineJob({ ...job, handle: async () => undefined })).toThrow('takes no signal')
  expect(defineJob(job).timeLimitSeconds).toBe(301)
})
