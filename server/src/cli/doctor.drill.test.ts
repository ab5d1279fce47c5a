import { openSync, closeSync, writeSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { withClient } from '@kinora/platform/db/client.ts'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { noPrograms, programs, startPostgresql } from '../testing/servers/distribution-postgresql.ts'
import { runKinora } from '../testing/servers/run-kinora.ts'
import { siteDirectory } from '../testing/servers/start-site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

/** Runs `doctor` and a start on a database, both of which are expected to refuse it. */
async function refusals(databaseUrl: string): Promise<string[]> {
  const dataDir = temporaryDirectory()
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0' }
  const doctor = await runKinora(['doctor'], env)
  expect(doctor.exitCode).toBe(1)
  const upgrade = await runKinora(['upgrade'], env)
  expect(upgrade.exitCode).toBe(1)
  return [doctor.output, upgrade.errors]
}

test('refuses a LATIN1 database before the migration, and doctor names the encoding', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const { url } = await startPostgresql()
  await withClient(url, (client) =>
    client.query("create database latin encoding 'LATIN1' locale 'C' template template0"),
  )
  const latin = url.replace(/postgres$/, 'latin')
  for (const text of await refusals(latin)) {
    expect(text).toContain('has the encoding LATIN1, and Kinora needs UTF8')
    expect(text).not.toMatch(/^ +at /m)
  }
  const { rows } = await withClient(latin, (client) => client.query("select to_regclass('users') as users"))
  expect(rows).toEqual([{ users: null }])
})

test('refuses a role that may not create tables, with the statement that grants it', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const { url } = await startPostgresql()
  await withClient(url, (client) => client.query('create role weak login'))
  for (const text of await refusals(url.replace('owner@', 'weak@'))) {
    expect(text).toContain('GRANT CREATE ON SCHEMA public TO weak')
    expect(text).not.toMatch(/^ +at /m)
  }
})

test('doctor reports a damaged database page after a statement has read it', async () => {
  const dataDir = siteDirectory()
  const start = () => startEmbedded({ dataDir, log: { info: () => undefined, warn: () => undefined } })
  const intact = await start()
  expect(
    (await runKinora(['user', 'create', 'ada', 'ada@example.org'], { DATA_DIR: dataDir })).exitCode,
  ).toBe(0)
  const file = await withClient(intact.url, async (client) => {
    await client.query('checkpoint')
    return (
      await client.query(
        "select current_setting('data_directory') || '/' || pg_relation_filepath('users') as file",
      )
    ).rows[0].file as string
  })
  await intact.stop()
  const heap = openSync(file, 'r+')
  writeSync(heap, Buffer.from('damage'), 0, 6, 8000)
  closeSync(heap)

  const damaged = await start()
  onTestFinished(() => damaged.stop())
  await runKinora(['user', 'list'], { DATA_DIR: dataDir })
  await expect
    .poll(async () => (await runKinora(['doctor'], { DATA_DIR: dataDir })).output, { timeout: 60_000 })
    .toMatch(/✗ pages +PostgreSQL read \d+ damaged pages/)
})
