import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { listProcesses } from '../../testing/processes.ts'
import { findQuietPort } from '../../testing/quiet-port.ts'
import { type WatchdogTimes, watchdogTimes } from '../../watchdog.ts'
import { createCluster } from './embedded.ts'

let dataDir: string
const owners: ChildProcess[] = []

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kinora-embedded-'))
  // with a cluster, because creating one takes seconds; keeps its owner, unlike Node
  execFileSync('cp', ['-a', join(inject('siteTemplate'), 'postgres'), dataDir])
  // the port of an earlier run, outside the range that the system assigns while the server is down
  rmSync(join(dataDir, 'postgres/port'), { force: true })
  writeFileSync(join(dataDir, 'postgres/port'), String(await findQuietPort()))
})

afterEach(async () => {
  await Promise.all(owners.splice(0).map((owner) => ended(owner, 'SIGTERM')))
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

test('creates a durable cluster once and restarts on the same port', async () => {
  rmSync(join(dataDir, 'postgres/data'), { recursive: true })
  rmSync(join(dataDir, 'postgres/password'))
  const first = await own()
  expect(await ask(first.url, 'show fsync')).toBe('on')
  expect(await ask(first.url, 'show synchronous_commit')).toBe('on')
  expect(await ask(first.url, "select lower('ÀÉ')")).toBe('àé')
  expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600)
  await ask(first.url, 'create table kept as select 7 as n')
  await ended(first.process, 'SIGTERM')

  const second = await own()
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select n from kept')).toBe(7)
})

test.each([
  ['directly', (program: string) => ({ file: program, args: [] })],
  ['through another program', (program: string) => ({ file: 'env', args: [program] })],
])('explains what to do if its programs cannot be run (%s)', async (_, run) => {
  const program = join(dataDir, 'initdb')
  // its loader is missing, as that of glibc is on Alpine
  writeFileSync(program, '#!/lib/no-such-loader\n', { mode: 0o755 })
  const command = () => ({ ...run(program), options: {} })
  await expect(createCluster({ home: dataDir, command, own: () => {} })).rejects.toThrow(
    /does not run on this system.*set DATABASE_URL/,
  )
})

test('stops when its owner is killed, and the next owner recovers', async () => {
  const first = await own()
  const server = serverPid()
  await ended(first.process, 'SIGKILL')
  await vi.waitUntil(() => !isRunning(server), { timeout: 60_000 })
  const second = await own()
  expect(await ask(second.url, 'select 1')).toBe(1)
})

test('runs as nobody when root starts it, and changes the owner of files of root', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'this concerns root alone')
  const first = await own()
  await ended(first.process, 'SIGTERM')
  // the state after versions that ran it as root in a user namespace
  execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')])
  const second = await own()
  expect(readFileSync(`/proc/${serverPid()}/status`, 'utf8')).toMatch(/^Uid:\s65534\s65534\s65534\s65534$/m)
  expect(await ask(second.url, 'select 1')).toBe(1)
})

test('is not adopted when its guard is about to stop it', async () => {
  const first = await own()
  const server = serverPid()
  const guard = await guardOf(server)
  // as on a machine that was too busy to run it
  process.kill(guard, 'SIGSTOP')
  await ended(first.process, 'SIGKILL')
  const sessions = () => ask(first.url, "select sessions from pg_stat_database where datname = 'postgres'")
  const before = await sessions()
  const coming = own()
  // the next owner has found a running server
  await expect.poll(sessions, { timeout: 60_000 }).not.toBe(before)
  process.kill(guard, 'SIGCONT')
  const second = await coming
  expect(serverPid()).not.toBe(server)
  expect(await ask(second.url, 'select 1')).toBe(1)
})

test('is adopted when it outlives its owner', async () => {
  const first = await own()
  const server = serverPid()
  process.kill(await guardOf(server), 'SIGKILL')
  await ended(first.process, 'SIGKILL')
  expect(isRunning(server)).toBe(true)

  const second = await own()
  expect(second.url).toBe(first.url)
  expect(serverPid()).toBe(server)
  await ended(second.process, 'SIGTERM')
  await vi.waitUntil(() => !isRunning(server), { timeout: 60_000 })
})

test('is restarted when it dies', async () => {
  const { url } = await own()
  const server = serverPid()
  process.kill(server, 'SIGKILL')
  await vi.waitUntil(() => ask(url, 'select 1').catch(() => false), { timeout: 60_000 })
  expect(serverPid()).not.toBe(server)
})

test('stops when asked to during a restart', async () => {
  const { process: owner } = await own()
  const server = serverPid()
  process.kill(server, 'SIGKILL')
  await vi.waitUntil(() => !isRunning(server), { interval: 5, timeout: 60_000 })
  await ended(owner, 'SIGTERM')
  const next = await own()
  expect(await ask(next.url, 'select 1')).toBe(1)
})

/** A machine under load needs a second for a response. */
const shortTimes: WatchdogTimes = {
  ...watchdogTimes,
  databaseProbeMs: 200,
  databaseProbeTimeoutMs: 3000,
  silentDatabaseMs: 3000,
  shutdownMs: 500,
  graceMs: 500,
}

test('restarts a server whose recovery was killed', async () => {
  const { url } = await own(shortTimes)
  const server = serverPid()
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  for (const name of ['postgres: kinora kinora', 'postgres: startup']) {
    const find = () => listProcesses().find(({ parent, args }) => parent === server && args.includes(name))
    process.kill((await vi.waitUntil(find, { timeout: 60_000, interval: 1 })).pid, 'SIGKILL')
  }
  await vi.waitUntil(() => !isRunning(server), { timeout: 60_000 })
  await vi.waitUntil(() => ask(url, 'select 1').catch(() => false), { timeout: 60_000 })
  expect(serverPid()).not.toBe(server)
})

test('a stopped server and its stopped processes outlive neither their owner nor the next start', async () => {
  const first = await own(shortTimes)
  const server = serverPid()
  const stopped = [
    server,
    ...listProcesses()
      .filter(({ parent }) => parent === server)
      .map(({ pid }) => pid),
  ]
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  await ended(first.process, 'SIGKILL')
  const second = await own(shortTimes)
  expect(await ask(second.url, 'select 1')).toBe(1)
  expect(stopped.filter(isRunning)).toEqual([])
})

test('follows no links that the user of PostgreSQL has put beside its data', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'this concerns root alone')
  const home = join(dataDir, 'postgres')
  const treasure = join(dataDir, 'treasure')
  writeFileSync(treasure, 'of root', { mode: 0o600 })
  for (const name of ['port', 'guard', 'postgres.log']) {
    rmSync(join(home, name), { force: true })
    symlinkSync(treasure, join(home, name))
  }
  const { url } = await own()
  expect(await ask(url, 'select 1')).toBe(1)
  expect([readFileSync(treasure, 'utf8'), statSync(treasure).uid]).toEqual(['of root', 0])
  expect([statSync(home).uid, statSync(home).mode & 0o022, statSync(join(home, 'data')).uid]).toEqual([
    0, 0, 65534,
  ])
})

/** A process that starts the database and stops it on SIGTERM. */
async function own(times: WatchdogTimes = watchdogTimes): Promise<{ process: ChildProcess; url: string }> {
  const module = join(import.meta.dirname, 'embedded.ts')
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(module)})
    const log = { info() {}, warn() {} }
    const database = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log, times: ${JSON.stringify(times)} })
    process.once('SIGTERM', () => database.stop().then(() => process.exit()))
    console.log(database.url)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  owners.push(owner)
  const lines = createInterface({ input: owner.stdout })
  const url = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('the owner ended without a database')))
  })
  return { process: owner, url }
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

function serverPid(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10)
}

/** Returns the guard process; waits until it has started. */
async function guardOf(pid: number): Promise<number> {
  const find = () =>
    listProcesses().find(({ args }) => args.includes('kill -INT') && args.includes(`\0${pid}\0`))
  const guard = await vi.waitUntil(find, { timeout: 60_000 })
  return guard.pid
}

/** A zombie counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await new Promise((resolve) => child.once('exit', resolve))
}
