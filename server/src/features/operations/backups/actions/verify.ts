import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../../../context/migrations.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { isWanted, listWanted } from './back-up.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { sha256Of } from '@kinora/platform/files/sha256.ts'
import { dumpTables, inspectTable, loadTables } from '../queries/dump.ts'
import type { Manifest, Repository } from './repository.ts'
import { assertMigrations } from './migrations.ts'

export interface Verification {
  snapshot: string
  tables: number
  rows: number
  files: number
  /** One sentence each; empty for a good backup. */
  problems: string[]
}

/**
 * Proves that a snapshot can be restored: restores its database into a scratch server, compares every table by its
 * rows, and reads every file. The server is created below `scratchParent`, on a disk with room for the database.
 */
export async function verify(
  repository: Repository,
  snapshot: string,
  scratchParent: string,
  progress: Progress,
): Promise<Verification> {
  const manifest = await repository.readManifest(snapshot)
  const problems = manifest.missing.map((key) => `${key} was lost before the backup was made`)
  problems.push(...(await checkTables(repository, snapshot, manifest)))
  const files = await checkFiles(repository, snapshot, manifest, problems, progress)
  // unreadable tables cannot be loaded
  if (problems.length === manifest.missing.length) {
    progress('Restoring the database into a scratch server')
    problems.push(...(await checkRestored(repository, snapshot, manifest, files, scratchParent)))
  }
  return {
    snapshot,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.size,
    problems,
  }
}

/** Problems of the table files. */
export async function checkTables(
  repository: Repository,
  snapshot: string,
  manifest: Manifest,
): Promise<string[]> {
  const problems: string[] = []
  for (const { name, rows, sha256 } of manifest.tables) {
    const found = await inspectTable(repository.tablesOf(snapshot), name).catch(() => undefined)
    if (!found) problems.push(`The file of the table ${name} cannot be read`)
    else if (found.rows !== rows || found.sha256 !== sha256)
      problems.push(`The file of the table ${name} is damaged`)
  }
  return problems
}

async function checkFiles(
  repository: Repository,
  snapshot: string,
  { files: summary }: Manifest,
  problems: string[],
  progress: Progress,
): Promise<Set<string>> {
  const seen = new Set<string>()
  try {
    for await (const { key, sizeBytes, sha256 } of repository.readFiles(snapshot)) {
      seen.add(key)
      const file = repository.fileOf(key)
      const size = (await stat(file).catch(() => undefined))?.size
      if (size === undefined) problems.push(`${key} is missing`)
      else if (size !== sizeBytes) problems.push(`${key} has ${size} bytes instead of ${sizeBytes}`)
      else if ((await sha256Of(createReadStream(file))) !== sha256) problems.push(`${key} is damaged`)
      progress(`Reading files: ${seen.size} of ${summary?.count ?? '?'}`)
    }
  } catch (error) {
    problems.push(`The list of files cannot be read (${error instanceof Error ? error.message : error})`)
  }
  if (summary && seen.size !== summary.count)
    problems.push(`The list names ${seen.size} files instead of ${summary.count}`)
  return seen
}

async function checkRestored(
  repository: Repository,
  snapshot: string,
  manifest: Manifest,
  files: ReadonlySet<string>,
  scratchParent: string,
): Promise<string[]> {
  await assertMigrations(manifest)
  const problems: string[] = []
  const dataDir = await mkdtemp(path.join(scratchParent, '.verify-'))
  const quiet = { info: () => undefined, warn: () => undefined }
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const server = await startEmbedded({ dataDir, log: quiet, settings })
  try {
    await migrate(server.url, migrationsDirectory, manifest.migrations)
    await withClient(server.url, async (client) => {
      await loadTables(client, repository.tablesOf(snapshot), manifest.tables)
      const restored = new Map((await dumpTables(client, null)).map((table) => [table.name, table]))
      for (const { name, rows, sha256 } of manifest.tables) {
        const table = restored.get(name)
        if (table?.rows !== rows)
          problems.push(`${name} has ${table?.rows} rows restored, ${rows} were backed up`)
        else if (table.sha256 !== sha256) problems.push(`${name} is not what it was after being restored`)
      }
      if (manifest.files === null) return
      const wanted = await listWanted(client)
      const pictures = new Set([...files].map((key) => key.split('/').slice(0, 2).join('/')))
      for (const key of wanted.sources)
        if (!files.has(key)) problems.push(`The backup has a row for ${key} and no file`)
      for (const id of wanted.pictures)
        if (!pictures.has(`pictures/${id}`))
          problems.push(`The backup has a row for the picture ${id} and no file`)
      for (const key of files)
        if (!isWanted(wanted, key)) problems.push(`The backup has the file ${key} and no row`)
    })
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  // files lost before the backup are listed already
  return problems.filter(
    (problem) => !manifest.missing.some((key) => problem.includes(key.replace(/^pictures\/(.*)\/$/, '$1'))),
  )
}
