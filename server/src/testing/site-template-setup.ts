import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createContext } from '../app/create-context.ts'
import { readConfig } from '../context/config.ts'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../context/migrations.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** DATA_DIR of a stopped site without content. */
    siteTemplate: string
  }
}

const quiet = { info: () => {}, warn: (details: object, message: string) => console.warn(message, details) }

/** Creates and migrates the database of a site once for all tests that start one. */
export async function setup(project: TestProject): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-template-'))
  const server = await startEmbedded({ dataDir, log: quiet })
  await migrate(server.url, migrationsDirectory)
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  // Unlike a web process, the CLI does not bind a storage to the database.
  const context = await createContext(config, server.url, 'cli')
  await context.close()
  await server.stop()
  // Copies that run side by side need ports of their own.
  rmSync(join(dataDir, 'postgres/port'))
  project.provide('siteTemplate', dataDir)
  return () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
}
