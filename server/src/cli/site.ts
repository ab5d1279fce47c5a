import { existsSync } from 'node:fs'
import path from 'node:path'
import { createContext } from '../create-context.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { findEmbedded, startEmbedded } from '../platform/db/embedded/embedded.ts'
import { StartupError } from '../platform/startup-error.ts'
import { lockDataDir, prepareDataDir } from '../platform/files/data-dir.ts'

const quiet = { info: () => undefined, warn: () => undefined }

/**
 * Lends the site's database to `work`: that of DATABASE_URL, the embedded one of a running site, or else the embedded
 * one started for as long as `work` takes, with DATA_DIR locked. Throws StartupError when there is no site there and
 * none is to be made.
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
      `There is no site in DATA_DIR (${config.dataDir}): set DATA_DIR or DATABASE_URL to where it is.`,
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
 * Lends the database of a site that does not run, made when there is none; it stays stopped meanwhile as far as
 * DATA_DIR can tell. Throws StartupError while it runs.
 */
export async function withStoppedSite<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl } = config
  if (databaseUrl) return alone(config, () => work(databaseUrl))
  if (await findEmbedded(config.dataDir))
    throw new StartupError(`The site in DATA_DIR (${config.dataDir}) is running: stop it first.`)
  return withDatabase(config, work, { mayCreate: true })
}

/** Keeps every other Kinora away from DATA_DIR while `work` runs. Throws StartupError when there is one. */
async function alone<T>(config: Config, work: () => Promise<T>): Promise<T> {
  prepareDataDir(config.dataDir)
  const lock = lockDataDir(config.dataDir)
  if (!lock)
    throw new StartupError(`The site in DATA_DIR (${config.dataDir}) is starting or stopping: try again.`)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Lends everything that actions stand on; what they enqueue is done by the site's workers. */
export function withContext<T>(config: Config, work: (context: Context) => Promise<T>): Promise<T> {
  return withDatabase(config, async (url) => {
    const context = await createContext({ ...config, logLevel: 'error' }, url, 'operator')
    try {
      return await work(context)
    } finally {
      await context.close()
    }
  })
}
