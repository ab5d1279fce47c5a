import { existsSync } from 'node:fs'
import path from 'node:path'
import { createContext } from '../app/create-context.ts'
import type { Config } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { findEmbedded, startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { lockDataDir, prepareDataDir } from '@kinora/platform/files/data-dir.ts'

const quiet = { info: () => undefined, warn: () => undefined }

/**
 * Runs `work` with the URL of the site's database: that of DATABASE_URL, the embedded one of a running site, or the
 * embedded one started for the time of `work` with DATA_DIR locked. Throws StartupError if there is no site and none may
 * be created.
 */
export async function withDatabase<T>(
  config: Config,
  work: (url: string) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> {
  const running = config.databaseUrl ?? (await findEmbedded(config.dataDir))
  if (running) return work(running)
  if (!mayCreate && !existsSync(path.join(config.dataDir, 'postgres')))
    throw new StartupError(
      `There is no site in DATA_DIR (${config.dataDir}). Set DATA_DIR or DATABASE_URL to its location.`,
    )
  return alone(config, async () => {
    const server = await startEmbedded({ dataDir: config.dataDir, log: quiet })
    try {
      return await work(server.url)
    } finally {
      await server.stop()
    }
  })
}

/**
 * Runs `work` with the database of a stopped site, which is created if there is none. DATA_DIR stays locked, so that the
 * site cannot start. Throws StartupError if the site is running.
 */
export async function withStoppedSite<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl } = config
  if (databaseUrl) return alone(config, () => work(databaseUrl))
  if (await findEmbedded(config.dataDir))
    throw new StartupError(`The site in DATA_DIR (${config.dataDir}) is running. Stop it first.`)
  return withDatabase(config, work, { mayCreate: true })
}

/** Runs `work` with DATA_DIR locked. Throws StartupError if another process has locked it. */
async function alone<T>(config: Config, work: () => Promise<T>): Promise<T> {
  prepareDataDir(config.dataDir)
  const lock = lockDataDir(config.dataDir)
  if (!lock)
    throw new StartupError(`The site in DATA_DIR (${config.dataDir}) is starting or stopping. Try again.`)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Runs `work` with the application services. The site's workers run the jobs that it enqueues. */
export function withContext<T>(config: Config, work: (context: Context) => Promise<T>): Promise<T> {
  return withDatabase(config, async (url) => {
    const context = await createContext({ ...config, logLevel: 'error' }, url, 'cli')
    try {
      return await work(context)
    } finally {
      await context.close()
    }
  })
}
