import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { processesOf, siteDirectory, startSite } from '../testing/servers/start-site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

const polling = { timeout: 60_000, interval: 50 }

test('prints its URL and stops all processes', async () => {
  const dataDir = temporaryDirectory()
  const site = startSite({ dataDir })
  const address = await site.ready
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  expect(processesOf(dataDir).map(({ command }) => command)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('dist/web.js'),
      expect.stringContaining('dist/worker.js'),
    ]),
  )
  site.process.kill('SIGINT')
  expect(await site.ended).toBe(0)
  await nothingRuns(dataDir)
})

test('runs several web processes on one port and survives the loss of one', async () => {
  const dataDir = siteDirectory()
  const metricsPort = await findQuietPort()
  const token = 'a token of the supervisor'
  const site = startSite({
    dataDir,
    env: {
      WEB_PROCESSES: '2',
      WORKERS: '2',
      METRICS_PORT: String(metricsPort),
      METRICS_TOKEN: token,
      LIVE: 'true',
      RTMP_PORT: String(await findQuietPort()),
    },
  })
  const address = await site.ready
  const { hostname } = new URL(address)
  expect([childrenOf(dataDir, 'web').length, childrenOf(dataDir, 'worker').length]).toEqual([2, 2])
  // Two workers, then two web processes and the ingest process.
  for (let index = 0; index < 5; index += 1) {
    const metrics = `http://${hostname}:${metricsPort + index}/metrics`
    const read = () =>
      fetch(metrics, { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined)
    await expect.poll(async () => (await read())?.status, polling).toBe(200)
  }
  const startedPids = () =>
    new Set([...site.output().matchAll(/"pid":(\d+)[^\n]*"web started"/g)].map(([, pid]) => Number(pid)))
  await expect.poll(() => startedPids().size, polling).toBe(2)

  const crashing = childOf(dataDir, 'web')
  process.kill(crashing, 'SIGKILL')
  // A dying process disappears from the list before the kernel closes its sockets; the supervisor sees its end.
  await expect.poll(() => site.output(), polling).toMatch(/"child":"web".*"signal":"SIGKILL".*child crashed/)
  for (let request = 0; request < 20; request += 1)
    expect((await fetch(`${address}/healthz`, { headers: { connection: 'close' } })).status).toBe(200)
  await expect.poll(() => startedPids().size, polling).toBe(3)
  site.process.kill('SIGTERM')
  expect(await site.ended).toBe(0)
  await nothingRuns(dataDir)
})

test('refuses a second start, restarts and logs crashed processes, and finishes running requests before it stops', async () => {
  const dataDir = siteDirectory()
  const site = startSite({ dataDir })
  const address = await site.ready
  const second = startSite({ dataDir })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`Another Kinora already runs on DATA_DIR (${dataDir})`)
  expect((await fetch(`${address}/readyz`)).status).toBe(200)

  for (const role of ['web', 'worker']) {
    const crashing = childOf(dataDir, role)
    process.kill(crashing, 'SIGKILL')
    await vi.waitUntil(() => childrenOf(dataDir, role).some((pid) => pid !== crashing), polling)
    await vi.waitUntil(() => isReady(address), polling)
    const line = new RegExp(`"child":"${role}".*"signal":"SIGKILL".*child crashed`)
    await expect.poll(() => site.output(), polling).toMatch(line)
  }

  const request = await halfARequest(address)
  site.process.kill('SIGTERM')
  await vi.waitUntil(() => site.output().includes('Stopping'), polling)
  expect(await request.finish()).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(await site.ended).toBe(0)
})

test('leaves no orphans after SIGKILL, can start immediately, and stops immediately at a second signal', async () => {
  const dataDir = siteDirectory()
  const killed = startSite({ dataDir })
  const address = await killed.ready
  killed.process.kill('SIGKILL')
  await killed.gone
  const next = startSite({ dataDir, env: { PORT: new URL(address).port } })
  expect(await next.ready).toBe(address)

  await halfARequest(address)
  next.process.kill('SIGTERM')
  // A signal within half a second is npm's echo of the same key press, so it is repeated until it counts.
  await vi.waitUntil(() => {
    next.process.kill('SIGTERM')
    return next.output().includes('Stopping immediately')
  }, polling)
  expect(await next.ended).toBe(1)
  await nothingRuns(dataDir)
  await killed.ended
  expect(killed.output() + next.output()).not.toContain('ERR_IPC_DISCONNECTED')
})

test('stops when the npm that started it is killed', async () => {
  const dataDir = siteDirectory()
  const npm = ['sh', '-c', 'export npm_lifecycle_event=start; "$@"; true', 'npm']
  const site = startSite({ dataDir, through: npm })
  await site.ready
  site.process.kill('SIGKILL')
  await nothingRuns(dataDir)
  await site.ended
  expect(site.output()).toContain('Stopped.')
})

test('stops at a signal during the start', async () => {
  const dataDir = temporaryDirectory()
  const site = startSite({ dataDir })
  await vi.waitUntil(() => site.output().includes('Creating the database'), polling)
  site.process.kill('SIGTERM')
  await site.ended
  await nothingRuns(dataDir)
  expect(site.output()).not.toContain('ready at')
})

test('explains a port that is in use', async () => {
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  const address = occupant.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const site = startSite({ dataDir: temporaryDirectory(), env: { PORT: String(port) } })
  expect(await site.ended).toBe(1)
  expect(site.output()).toContain(
    `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or start with`,
  )
  occupant.close()
})

test.each([
  [{ DATA_DIR: '/proc/kinora' }, 'DATA_DIR (/proc/kinora) cannot be written to. Give this user the right'],
  [{ PORT: 'many' }, 'The setting PORT has a bad value ("many")'],
  [
    { STORAGE_URL: 's3://videos' },
    'With STORAGE_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set',
  ],
  [{ MEDIA_DELIVERY: 'redirect' }, 'MEDIA_DELIVERY=redirect needs STORAGE_URL'],
  [{ HOST: '192.0.2.1' }, 'This machine has no address 192.0.2.1'],
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/kinora' },
    'The database kinora at 127.0.0.1:9 cannot be reached',
  ],
])('refuses %o with one message', async (env, sentence) => {
  const site = startSite({ dataDir: temporaryDirectory(), env })
  expect(await site.ended).toBe(1)
  const lines = site.output().trim().split('\n')
  expect(lines.filter((line) => line !== 'Starting ...')).toEqual([expect.stringContaining(sentence)])
})

test('explains a DATA_DIR of another user', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root can start as somebody else')
  const dataDir = temporaryDirectory()
  chmodSync(dataDir, 0o755)
  const site = startSite({ dataDir, uid: 65534 })
  expect(await site.ended).toBe(1)
  expect(site.output()).toContain(`DATA_DIR (${dataDir}) cannot be written to`)
})

test('runs as an ordinary user', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'every other test shows it already')
  const dataDir = temporaryDirectory()
  chownSync(dataDir, 65534, 65534)
  const site = startSite({ dataDir, uid: 65534, env: { HOME: dataDir } })
  await site.ready
  site.process.kill('SIGTERM')
  expect(await site.ended).toBe(0)
})

test('runs as root where there are no user namespaces', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'this concerns root alone')
  const dataDir = temporaryDirectory()
  chmodSync(dataDir, 0o755)
  // User namespaces need `unshare` on PATH.
  const site = startSite({ dataDir, env: { PATH: '/bin-without-unshare' } })
  await site.ready
  const owner = statSync(join(dataDir, 'postgres/data')).uid
  expect(owner).toBe(65534)
  site.process.kill('SIGTERM')
  expect(await site.ended).toBe(0)
})

test('explains a full disk', async ({ skip }) => {
  const dataDir = temporaryDirectory()
  const mount = `mount -t tmpfs -o size=1m none ${dataDir} && exec "$@"`
  const through = ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh']
  const probe = spawn(through[0] ?? '', [...through.slice(1), 'true'], { stdio: 'ignore' })
  const [code] = await once(probe, 'exit')
  skip(code !== 0, 'this machine does not let us mount a small disk')
  const site = startSite({ dataDir, through })
  expect(await site.ended).toBe(1)
  expect(site.output()).toContain(`The disk of DATA_DIR (${dataDir}) is full. Free disk space`)
})

test.each([
  ['missing', '/nowhere/ffmpeg', '/nowhere/ffmpeg cannot be run (ENOENT): correct FFMPEG_PATH'],
  [
    'too old',
    join(import.meta.dirname, 'fixtures/ffmpeg-4.4'),
    'is version 4.4, and Kinora needs 5.1 or later: correct FFMPEG_PATH',
  ],
])('explains an ffmpeg that is %s before anything starts', async (_, path, sentence) => {
  const setup = join(import.meta.dirname, '../../../scripts/setup.mjs')
  const child = spawn(process.execPath, [setup, '--ffmpeg'], { env: { ...process.env, FFMPEG_PATH: path } })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)))
  const [code] = await once(child, 'close')
  expect([code, output.trim()]).toEqual([1, expect.stringContaining(sentence)])
})

/** Waits until killed processes have ended. */
async function nothingRuns(dataDir: string): Promise<void> {
  await vi.waitUntil(() => processesOf(dataDir).length === 0, polling)
}

function childOf(dataDir: string, role: string): number {
  const [pid] = childrenOf(dataDir, role)
  // kill(0) would signal the whole process group of this test.
  if (pid === undefined) throw new Error(`there is no ${role}`)
  return pid
}

function childrenOf(dataDir: string, role: string): number[] {
  return processesOf(dataDir).flatMap(({ pid, command }) =>
    command.includes(`dist/${role}.js`) ? [pid] : [],
  )
}

async function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
}

/** Starts a request with an incomplete body. `finish` sends the rest and returns the response. */
async function halfARequest(address: string): Promise<{ finish(): Promise<string> }> {
  const { port } = new URL(address)
  const socket = connect(Number(port), '127.0.0.1')
  // killed processes may reset the connection
  socket.on('error', () => undefined)
  const head = [
    'POST /api/v1/users/login HTTP/1.1',
    'host: test',
    'content-type: application/json',
    'content-length: 2',
  ]
  socket.write(`${[...head, 'expect: 100-continue'].join('\r\n')}\r\n\r\n`)
  // the server sends 100 Continue once it handles the request
  await once(socket, 'data')
  return {
    async finish() {
      socket.write('{}')
      const [response] = await once(socket, 'data')
      socket.destroy()
      return String(response)
    },
  }
}
