import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { startSilentProxy } from '../testing/silent-proxy.ts'
import { createLog } from '../log.ts'
import { createPool, probeDatabase } from './pool.ts'
import { ProcessLocks } from './process-locks.ts'

let database: TestDatabase
const log = createLog('silent', 'web')

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('takes locks again after the server went silent, and fails those that wait for it together', async () => {
  using proxy = await startSilentProxy(database.url)
  // no heartbeat, so that a statement notices the silence
  const locks = new ProcessLocks(proxy.url, log, { heartbeatMs: 3_600_000, responseMs: 500 })
  onTestFinished(() => locks.close())
  await expect.poll(() => locks.take('before').catch(() => false), { timeout: 60_000 }).toBe(true)
  proxy.goSilent()
  const waiting = await Promise.allSettled(['a', 'b', 'c'].map((name) => locks.take(name)))
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  // connecting takes longer than the limit on a machine under load
  await expect.poll(() => locks.take('after').catch(() => false), { timeout: 60_000 }).toBe(true)
})

test('closes a connection of the pool whose statement timed out', async () => {
  using proxy = await startSilentProxy(database.url)
  const pool = createPool(proxy.url, 1, { query_timeout: 2000 })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  await pool.query('select 1')
  proxy.goSilent()
  await expect(pool.query('select 2')).rejects.toThrow('timeout')
  expect((await pool.query('select 3 as number')).rows).toEqual([{ number: 3 }])
})

test('closes a connection of the pool that does not respond to a probe', async () => {
  using proxy = await startSilentProxy(database.url)
  const pool = createPool(proxy.url, 1)
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  await pool.query('select 1')
  proxy.goSilent()
  await expect(probeDatabase(pool, 500)).rejects.toThrow('timeout')
  await probeDatabase(pool)
})
