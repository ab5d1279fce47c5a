import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { createContext } from '../app/create-context.ts'
import { readConfig } from '../context/config.ts'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { describeError } from '@kinora/platform/errors.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server in which every test file gets its own database. */
    databaseServerUrl: string
  }
}

const quiet = { info: () => {}, warn: (details: object, message: string) => console.warn(message, details) }
/** Fast instead of durable: these databases live as long as the run. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // tests of plans run `analyze`
  autovacuum: 'off',
  max_connections: '300',
}

/** One PostgreSQL for the run, with a migrated template from which the files' databases are cloned. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-test-'))
  const server = await startEmbedded({ dataDir, log: quiet, settings })
  const client = new Client(server.url)
  await client.connect()
  await client.query('create database template_of_tests')
  await client.end()

  const template = new URL(server.url)
  template.pathname = '/template_of_tests'
  await patiently(() => migrate(template.href, join(import.meta.dirname, '../../migrations')))
  await patiently(async () => {
    const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    // Unlike a web process, the CLI does not bind a storage to the database.
    const context = await createContext(config, template.href, 'cli')
    await context.close()
  })

  project.provide('databaseServerUrl', server.url)
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Repeats once what could not connect in time: the checks begin beside the tests, and fill the processors. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (describeError(error) !== 'timeout expired') throw error
    await work()
  }
}
