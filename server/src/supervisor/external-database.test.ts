import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSite, temporaryDirectory } from '../testing/start-site.ts'
import { findPort } from './address.ts'

const debian = '/usr/lib/postgresql'
const isRoot = process.getuid?.() === 0
const programs = programsOfTheDistribution()

test('DATABASE_URL: the site runs on a PostgreSQL of the distribution', async ({ skip }) => {
  if (!programs) return skip('the distribution has no PostgreSQL, and installing it needs root')
  const url = await startPostgresql(programs)
  const dataDir = temporaryDirectory()
  const site = startSite({ dataDir, env: { DATABASE_URL: url } })
  const address = await site.ready
  const answer = await fetch(`${address}/api/v1/video/all`)
  expect(answer.status).toBe(200)
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  site.process.kill('SIGTERM')
  expect(await site.ended).toBe(0)
})

test('DATABASE_URL: a wrong password is said at once', async ({ skip }) => {
  if (!programs) return skip('the distribution has no PostgreSQL, and installing it needs root')
  const url = new URL(await startPostgresql(programs))
  url.username = 'stranger'
  const site = startSite({ dataDir: temporaryDirectory(), env: { DATABASE_URL: url.href } })
  expect(await site.ended).toBe(1)
  expect(site.output()).toMatch(
    /The database postgres at \S+ cannot be reached \(.*stranger.*\): start it, or correct DATABASE_URL\./,
  )
})

/** A server of its own in a temporary directory, run by the user that the distribution made for it. */
async function startPostgresql(bin: string): Promise<string> {
  const home = temporaryDirectory()
  const owner = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (owner.uid !== undefined) chownSync(home, owner.uid, owner.gid)
  const data = join(home, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'owner', '-A', 'trust', '-N'], {
    ...owner,
    stdio: 'ignore',
  })
  const port = await findPort('127.0.0.1', 0, 0)
  const settings = ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
    ...owner,
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    server.kill('SIGINT')
    await once(server, 'exit')
  })
  const url = `postgres://owner@127.0.0.1:${port}/postgres`
  await vi.waitUntil(() => answers(url), { timeout: 20_000 })
  return url
}

async function answers(url: string): Promise<boolean> {
  const client = new Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

function programsOfTheDistribution(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : []
  const newest = Math.max(...versions)
  return newest >= 15 ? join(debian, String(newest), 'bin') : undefined
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}
