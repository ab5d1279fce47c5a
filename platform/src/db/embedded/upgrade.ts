import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  createCluster,
  startServer,
  database,
  defaultSettings,
  embeddedMajor,
  readPassword,
} from './embedded.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { hydrateLibraries, passThrough, prepareLauncher } from './binaries.ts'
import { newId } from '../../ids.ts'
import { dataMajor, finishReplacing, replaceData, upgradesDirectory } from './data.ts'
import type { Cluster } from './cluster.ts'
import { shutDown, stopLeftover, takeOwnership, urlOf } from './server.ts'

/** Returns the major version of embedded data that is older than the embedded programs; undefined otherwise. */
export async function findOlderMajor(dataDir: string): Promise<number | undefined> {
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  await takeOwnership(launcher)
  finishReplacing(launcher.home)
  const major = dataMajor(launcher.home)
  return major !== undefined && major < embeddedMajor() ? major : undefined
}

/** Copies one database into an empty one. `scratch` is a directory for temporary files. */
export type CopyDatabase = (from: string, to: string, scratch: string) => Promise<void>

/**
 * Converts the data of an older major version. The programs in `oldPrograms` serve the old data directory read-only,
 * `copy` fills a new one, and the new one replaces it. After a kill at any point, one of them is valid and the next
 * start continues.
 *
 * Returns the path at which the old data directory is kept.
 */
export async function upgradeEmbedded(
  { dataDir, log }: Pick<EmbeddedOptions, 'dataDir' | 'log'>,
  oldPrograms: string,
  copy: CopyDatabase,
): Promise<string> {
  hydrateLibraries()
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  const { home } = launcher
  const password = readPassword(launcher)
  // a new name: `initdb` of a killed predecessor may still write to the previous one
  const fresh = { ...launcher, home: join(upgradesDirectory(home), newId()) }
  const scratch = join(dataDir, 'cache/postgresql-upgrade')
  const old: Cluster = {
    launcher: prepareLauncher(join(dataDir, 'postgres'), oldPrograms),
    password,
    settings: { ...defaultSettings, default_transaction_read_only: 'on' },
  }
  // a leftover server would accept writes that the copy lacks
  await stopLeftover(launcher)
  for (const leftover of [upgradesDirectory(home), scratch])
    rmSync(leftover, { recursive: true, force: true, maxRetries: 10 })
  for (const directory of [fresh.home, scratch]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (const directory of [upgradesDirectory(home), fresh.home])
    if (launcher.owner) passThrough(directory, launcher.owner)

  const from = await startServer(old)
  try {
    log.info({ postgresqlPid: from.pid }, 'old database started, read-only')
    await createCluster(fresh, password)
    const to = await startServer({ launcher: fresh, password, settings: defaultSettings }, 0)
    try {
      await copy(urlOf(from.port, password, database), urlOf(to.port, password, database), scratch)
    } finally {
      // the checkpoint at shutdown makes everything durable
      await shutDown({ launcher: fresh }, to)
    }
  } finally {
    await shutDown(old, from)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10 })
  }
  return replaceData(home, fresh.home)
}
