import { errors } from '@kinora/contract/errors.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { withClient } from '../../db/client.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { ProcessLocks } from '../../db/process-locks.ts'
import { createLog } from '../../log.ts'
import { AppError } from '../../errors.ts'
import { Slots } from './slots.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The slots of one process. */
function startProcess(limit = 3) {
  const locks = new ProcessLocks(database.url, createLog('silent', 'web'))
  onTestFinished(() => locks.close())
  return {
    locks,
    slots: new Slots('tests', limit, (options) => new AppError(errors.tooManyAttempts, options), locks),
  }
}

const refusal = {
  code: 'too_many_requests',
  reason: errors.tooManyAttempts.reason,
  retryAfterSeconds: 30,
}

test('counts slots per key across processes', async () => {
  const [one, other] = [startProcess(), startProcess()]
  const first = await one.slots.take('ines')
  await Promise.all([other.slots.take('ines'), one.slots.take('ines')])
  for (const { slots } of [one, other]) await expect(slots.take('ines')).rejects.toMatchObject(refusal)
  await other.slots.take('ada')
  await first[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
  await other.slots.take('ines')
  for (const { slots } of [one, other]) await expect(slots.take('ines')).rejects.toMatchObject(refusal)
})

test('grants exactly the limit to concurrent requests', async () => {
  const processes = [startProcess(), startProcess(), startProcess()]
  const asked = await Promise.allSettled(
    Array.from({ length: 10 }, () => processes.map(({ slots }) => slots.take('crowd'))).flat(),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('releases the slots of a killed process and survives a lost connection', async () => {
  const [dying, other, lost] = [startProcess(1), startProcess(1), startProcess(1)]
  await dying.slots.take('ines')
  await expect(other.slots.take('ines')).rejects.toMatchObject(refusal)
  await dying.locks.close()
  const slot = await other.slots.take('ines')

  await using _ = await lost.slots.take('ada')
  await withClient(database.url, (client) =>
    client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory_lock%'`),
  )
  await expect
    .poll(() =>
      lost.slots.take('eve').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await slot[Symbol.asyncDispose]()
  await expect
    .poll(() =>
      other.slots.take('ines').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})
