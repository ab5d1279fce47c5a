import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../context/migrations.ts'
import { noPrograms, ownedDirectory, programs, startPostgresql } from './servers/distribution-postgresql.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/backup-and-restore.md'), 'utf8')

test('the documented commands restore the database as of a given time', async ({ skip }) => {
  skip(programs === undefined, noPrograms)
  const server = await startPostgresql()
  const directories = { WAL: ownedDirectory(), BASE: ownedDirectory(), DATA: server.dataDir }
  await migrate(server.url, migrationsDirectory)

  server.shell(documented('archive'), directories)
  await server.stop()
  await server.start()
  await signUp(server.url, 'early')
  server.shell(documented('base backup'), directories)
  await signUp(server.url, 'before')
  const TARGET = await ask(server.url, 'select now()::text')
  await signUp(server.url, 'after')
  const segment = await ask(server.url, 'select pg_walfile_name(pg_switch_wal())')
  const archived = () =>
    ask(server.url, `select (last_archived_wal >= '${segment}')::text from pg_stat_archiver`)
  await vi.waitUntil(async () => (await archived()) === 'true', { timeout: 60_000 })
  await server.stop()

  const FROM = new Date().toISOString().slice(0, 10)
  server.shell(documented('restore'), { ...directories, TARGET, FROM })
  await server.start()
  const isRecovering = () => ask(server.url, 'select pg_is_in_recovery()::text')
  await vi.waitUntil(async () => (await isRecovering()) === 'false', { timeout: 60_000 })
  expect(await ask(server.url, "select string_agg(username, ' ' order by username) from users")).toBe(
    'before early',
  )
})

/** The commands of a block of the page, which begins with a comment that names it. */
function documented(name: string): string {
  const [, block] = page.split(`\`\`\`sh example\n# ${name}\n`)
  if (block === undefined) throw new Error(`The page has no commands for: ${name}`)
  return block.slice(0, block.indexOf('```'))
}

async function signUp(url: string, name: string): Promise<void> {
  await ask(
    url,
    `insert into users (id, username, email, fullname, password_hash, avatar)
     values ('${name}', '${name}', '${name}@example.org', '${name}', '-', '-') returning id`,
  )
}

async function ask(url: string, sql: string): Promise<string> {
  const client = new Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' })
    return rows[0]?.[0] ?? ''
  } finally {
    await client.end()
  }
}
