import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createCluster, bringUp, database, defaultSettings, embeddedMajor } from './embedded.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { hydrateLibraries, prepareLauncher } from './binaries.ts'
import { newId } from '../../ids.ts'
import { dataMajor, finishReplacing, replaceData, upgradesDirectory } from './data.ts'
import { shutDown, stopLeftover, takeOwnership, urlOf, type Cluster } from './server.ts'

/** Major version of embedded data that the embedded programs are too new to read; undefined when there is none. */
export async function findOlderMajor(dataDir: string): Promise<number | undefined> {
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  await takeOwnership(launcher)
  finishReplacing(launcher.home)
  const major = dataMajor(launcher.home)
  return major !== undefined && major < embeddedMajor() ? major : undefined
}

/** Copies the rows of one database into another, which is empty. `scratch` is a directory for its files. */
export type CopyDatabase = (from: string, to: string, scratch: string) => Promise<void>

/**
 * Converts the data of an older major version. The programs in `native` read the old data directory, which no session may
 * write to; `copy` fills a new one beside it, which then takes its place. The old one is kept. A kill at any point leaves
 * one of them valid, and the next start goes on.
 *
 * Returns where the old data directory is kept.
 */
export async function upgradeEmbedded(
  { dataDir, log }: Pick<EmbeddedOptions, 'dataDir' | 'log'>,
  native: string,
  copy: CopyDatabase,
): Promise<string> {
  hydrateLibraries()
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  const { home } = launcher
  const password = readFileSync(join(home, 'password'), 'utf8')
  // A name of its own: `initdb` of a killed predecessor may still write to the one before.
  const fresh = { ...launcher, home: join(upgradesDirectory(home), newId()) }
  const scratch = join(dataDir, 'cache/postgresql-upgrade')
  const old: Cluster = {
    launcher: prepareLauncher(join(dataDir, 'postgres'), native),
    password,
    settings: { ...defaultSettings, default_transaction_read_only: 'on' },
  }
  // An adopted server of a killed predecessor would accept writes that the copy lacks.
  await stopLeftover(launcher)
  for (const rest of [upgradesDirectory(home), scratch])
    rmSync(rest, { recursive: true, force: true, maxRetries: 10 })
  for (const directory of [fresh.home, scratch]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (const directory of [upgradesDirectory(home), fresh.home]) launcher.own(directory)

  const from = await bringUp(old)
  try {
    log.info({ postgresqlPid: from.pid }, 'old database started, read-only')
    await createCluster(fresh, password)
    const to = await bringUp({ launcher: fresh, password, settings: defaultSettings }, 0)
    try {
      await copy(urlOf(from.port, password, database), urlOf(to.port, password, database), scratch)
    } finally {
      // The checkpoint of a shutdown makes everything durable.
      await shutDown(to)
    }
  } finally {
    await shutDown(from)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10 })
  }
  return replaceData(home, fresh.home)
}
