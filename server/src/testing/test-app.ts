import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { buildApp, createContext, jobs } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database.ts'
import { markStorage } from '../features/site/actions.ts'
import type { Clock } from '../platform/clock.ts'
import { withDb } from '../platform/db/pool.ts'
import { createRateLimits } from '../platform/http/rate-limit.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { generousLimits } from './generous-limits.ts'
import { TestClient } from './test-client.ts'
import { createTestDatabase } from './test-database.ts'

/** A clock that stands still until it is told otherwise. */
interface TestClock extends Clock {
  set(now: Date): void
  advance(milliseconds: number): void
}

export interface TestApp {
  app: FastifyInstance
  context: Context
  db: Context['db']
  storage: Context['storage']
  clock: TestClock
  /** The database of this app alone, for another process. */
  databaseUrl: string
  /** Where it listens, e.g. `http://127.0.0.1:41234`. */
  origin: string
  /** A new visitor, signed out. */
  client(): TestClient
  close(): Promise<void>
}

export interface TestAppOptions {
  /** Environment variables as `config.ts` knows them. */
  settings?: Record<string, string>
  /** Whether jobs are worked too, but for those that begin by the clock; otherwise they only wait in the queue. */
  worker?: boolean
  /** The database of another app, to run beside it; otherwise it gets one of its own. */
  databaseUrl?: string
  /** The disk of DATA_DIR, where a test needs a full one. */
  disk?: Context['disk']
}

/**
 * The whole server in this process, on a port of its own: real PostgreSQL, real files, real HTTP.
 * Only the clock is ours. Close it in `afterAll`.
 */
export async function createTestApp({
  settings = {},
  worker = false,
  databaseUrl,
  disk,
}: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kinora-app-'))
  const database = databaseUrl
    ? { url: databaseUrl, drop: async () => undefined }
    : await createTestDatabase()
  const config = readConfig({ LOG_LEVEL: 'error', ...generousLimits, ...settings, DATA_DIR: dataDir })
  if (databaseUrl !== undefined)
    await withDb(databaseUrl, async (db: Db) => markStorage(db, await createStorage(config)))
  const connected = await createContext(config, database.url, worker ? 'worker' : 'web', disk)
  const clock = createTestClock()
  const context: Context = {
    ...connected,
    clock,
    limits: createRateLimits(config, clock, connected.locks, connected.secret),
  }
  const app = await buildApp(context)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  // what the time of day has done would come in the middle of some test
  const unscheduled = jobs.map((job) => {
    const { cron: _cron, ...rest } = job
    return rest
  })
  if (worker) await context.jobs.work(unscheduled, context)

  // what a test writes past the server is seen at once, too
  const seeing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      context.answers.drop('everything')
      return result
    },
  }

  return {
    app,
    context,
    db: context.db.withPlugin(seeing),
    storage: context.storage,
    clock,
    databaseUrl: database.url,
    origin,
    client: () => new TestClient(origin),
    async close() {
      await app.close()
      await connected.close()
      await database.drop()
      // a program that was killed may be writing its last
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

function createTestClock(): TestClock {
  let now = new Date()
  return {
    now: () => now,
    set: (date) => (now = date),
    advance: (milliseconds) => (now = new Date(now.getTime() + milliseconds)),
  }
}
