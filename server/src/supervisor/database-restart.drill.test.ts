import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { noPrograms, programs, startPostgresql } from '../testing/servers/distribution-postgresql.ts'
import { generousLimits } from '../testing/servers/generous-limits.ts'
import { startSite, siteDirectory } from '../testing/servers/start-site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { TestClient } from '../testing/fixtures/test-client.ts'
import { upload } from '../testing/fixtures/test-uploads.ts'
import { registrationForm, testPassword } from '../testing/fixtures/test-users.ts'

const polling = { timeout: 60_000, interval: 100 }

test('the site recovers from a SIGTERM and a SIGKILL to its database, and follows it to another port', async () => {
  const dataDir = siteDirectory()
  const { site, ana, ask, expectAllBack } = await startWithAna(dataDir)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const before = findDatabaseProcess(dataDir)
    process.kill(before, signal)
    await expect.poll(() => databaseProcess(dataDir), polling).not.toBe(before)
    await expect.poll(() => ask('/api/v1/users/currentuser'), polling).toBe(200)
    await expectAllBack(ana)
  }

  const port = Number(readFileSync(join(dataDir, 'postgres/port'), 'utf8'))
  const before = findDatabaseProcess(dataDir)
  // The supervisor is stopped until another program occupies the port.
  site.process.kill('SIGSTOP')
  process.kill(before, 'SIGKILL')
  const squatter = createServer((socket) => socket.destroy())
  await vi.waitUntil(() => tryToListen(squatter, port), polling)
  onTestFinished(() => void squatter.close())
  site.process.kill('SIGCONT')
  await expect.poll(() => databaseProcess(dataDir), polling).not.toBe(before)
  await expect.poll(() => ask('/api/v1/users/currentuser').catch(() => 0), polling).toBe(200)
  expect(Number(readFileSync(join(dataDir, 'postgres/port'), 'utf8'))).not.toBe(port)
  await expectAllBack(ana)
})

test('the site survives a restart of the database of DATABASE_URL', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const server = await startPostgresql()
  const { ana, ask, expectAllBack } = await startWithAna(temporaryDirectory(), { DATABASE_URL: server.url })
  await server.stop()
  // Pages respond 503 too, although their HTML needs no database, and the process is not ready.
  expect(await ask('/api/v1/users/currentuser')).toBe(503)
  expect((await ana.get('/healthz')).status).toBe(200)
  const page = await fetch(new URL('/', ana.origin), { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('retry-after'), await page.text()]).toEqual([
    503,
    expect.stringMatching(/^\d+$/),
    expect.stringContaining('This site is temporarily unavailable'),
  ])
  const ready = await ana.get('/readyz')
  expect([ready.status, JSON.parse(ready.text).checks.database]).toEqual([
    503,
    expect.not.stringMatching('ok'),
  ])
  await server.start()
  await vi.waitUntil(async () => (await ask('/api/v1/users/currentuser')) === 200, polling)
  expect((await ana.get('/readyz')).status).toBe(200)
  await expectAllBack(ana)
})

/** Starts a site with a signed-in user. `ask` returns a status; `expectAllBack` expects all functions to work again. */
async function startWithAna(dataDir: string, env: Record<string, string> = {}) {
  const quiet = { LOG_LEVEL: 'warn', PREPARE_POLICY: 'none' }
  const site = startSite({ dataDir, env: { ...generousLimits, ...quiet, ...env } })
  const ana = new TestClient(await site.ready)
  const form = await registrationForm()
  expect((await ana.post('/api/v1/users/register', form)).status).toBe(201)
  await ana.post('/api/v1/users/login', { username: String(form.get('username')), password: testPassword })
  const seen = new Set<string>()
  const ask = async (path: string) => {
    const response = await ana.get(path)
    seen.add(`${response.status}, again after ${response.headers.get('retry-after')}`)
    return response.status
  }
  return { site, ana, ask, expectAllBack }

  async function expectAllBack(client: TestClient): Promise<void> {
    await expect.poll(() => ask('/api/v1/video/all'), polling).toBe(200)
    expect(['200, again after null', '503, again after 2']).toEqual(expect.arrayContaining([...seen]))
    // Jobs and notifications between processes work as well.
    const { _id: video } = await upload(client, 'After the restart')
    await expect.poll(() => stateOf(client, video), polling).toBe('ready')
    const playlist = await client.get(`/media/videos/${video}/master.m3u8`)
    const rendition = /^(\S+\/index\.m3u8)$/m.exec(playlist.text)?.[1] ?? ''
    expect((await client.get(`/media/videos/${video}/${rendition}`)).status).toBe(200)
  }
}

function tryToListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
}

function findDatabaseProcess(dataDir: string): number {
  const pid = databaseProcess(dataDir)
  // kill(0) would signal the whole process group of this test.
  if (pid === 0) throw new Error('there is no database')
  return pid
}

function databaseProcess(dataDir: string): number {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

async function stateOf(client: TestClient, id: string): Promise<string | undefined> {
  const [video] = (await client.get(`/api/v1/video/${id}`)).body.data as { processing: { state: string } }[]
  return video?.processing.state
}
