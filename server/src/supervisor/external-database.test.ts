import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runKinora } from '../testing/run-kinora.ts'
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

test('DATABASE_URL: with TLS the server must prove who it is', async ({ skip }) => {
  if (!programs) return skip('the distribution has no PostgreSQL, and installing it needs root')
  const url = new URL(await startPostgresql(programs, { withTls: true }))
  const authority = url.searchParams.get('sslrootcert') ?? ''
  const env = { DATA_DIR: temporaryDirectory(), PORT: '0' }
  const doctor = async (settings: Record<string, string>) => {
    url.search = new URLSearchParams(settings).toString()
    return (await runKinora(['doctor'], { ...env, DATABASE_URL: url.href })).output
  }
  expect(await doctor({ sslmode: 'verify-full', sslrootcert: authority })).toMatch(
    /PostgreSQL .* answers, with TLS/,
  )
  expect(await doctor({ sslmode: 'verify-full' })).toMatch(/cannot be reached \(self-signed certificate/)
  // what web and worker do with it, and migrating
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: authority }).toString()
  const site = startSite({ dataDir: env.DATA_DIR, env: { DATABASE_URL: url.href } })
  expect((await fetch(`${await site.ready}/readyz`)).status).toBe(200)
})

/** A server of its own in a temporary directory, run by the user that the distribution made for it. */
async function startPostgresql(bin: string, { withTls = false } = {}): Promise<string> {
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
  const certificate = join(home, 'certificate.pem')
  if (withTls) {
    const key = join(home, 'key.pem')
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', '-x509', '-days', '2', ...subject, ...made], { stdio: 'ignore' })
    chmodSync(key, 0o600)
    for (const file of [key, certificate]) {
      if (owner.uid !== undefined) chownSync(file, owner.uid, owner.gid)
    }
    settings.push('-c', 'ssl=on', '-c', `ssl_cert_file=${certificate}`, '-c', `ssl_key_file=${key}`)
  }
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
  return withTls ? `${url}?sslrootcert=${encodeURIComponent(certificate)}` : url
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
