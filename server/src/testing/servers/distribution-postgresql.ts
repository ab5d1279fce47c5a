import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { onTestFinished, vi } from 'vitest'
import { Daemon } from '@kinora/platform/testing/daemon.ts'
import { packagedFile } from './documented-blocks.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { type AtEnd, temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

const debian = '/usr/lib/postgresql'
/** The pooler of the distribution. */
const pgbouncer = '/usr/sbin/pgbouncer'
export const hasPgbouncer = existsSync(pgbouncer)
const isRoot = process.getuid?.() === 0
/** Directory of the distribution's PostgreSQL; undefined if it is not installed. */
export const programs = programsOfTheDistribution()
export const noPrograms = 'the distribution has no PostgreSQL, and installing it needs root'

/** A server that is stopped when the test ends, unless several tests share it. */
export interface TestServer {
  url: string
  /** Path of its certificate, if it has one. */
  certificate: string | undefined
  /** Immediately, as in a power failure; committed data is present after a restart. */
  stop(): Promise<void>
  /** Starts it again on the same port. Resolves when it accepts connections. */
  start(): Promise<void>
  dataDir: string
  /** Runs a shell script as the user of the server, with the connection settings in the environment. */
  shell(script: string, env: Record<string, string>): void
  /** A streaming replica of it. */
  replicate(): Promise<TestServer>
}

/** A new server in a temporary directory, run by the user of the distribution. */
export async function startPostgresql({
  withTls = false,
  atEnd = onTestFinished,
}: { withTls?: boolean; atEnd?: AtEnd } = {}): Promise<TestServer> {
  const home = ownedDirectory(atEnd)
  run('initdb', ['-D', join(home, 'data'), '-U', 'owner', '-A', 'trust', '-N'])
  return serve(home, atEnd, withTls ? createCertificate(home) : undefined)
}

async function serve(
  home: string,
  atEnd: AtEnd,
  certificate?: { file: string; key: string },
): Promise<TestServer> {
  const port = await findQuietPort()
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  if (certificate)
    settings.push('ssl=on', `ssl_cert_file=${certificate.file}`, `ssl_key_file=${certificate.key}`)
  const args = ['-D', join(home, 'data'), '-p', String(port), ...settings.flatMap((each) => ['-c', each])]
  const url = `postgres://owner@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(join(programs ?? '', 'postgres'), args, { ...owner(), stdio: 'ignore' })
    await vi.waitUntil(() => responses(url), { timeout: 60_000 })
  }
  const stop = async () => {
    if (!server || server.exitCode !== null) return
    server.kill('SIGQUIT')
    await once(server, 'exit')
  }
  atEnd(stop)
  await start()
  return {
    url,
    certificate: certificate?.file,
    start,
    stop,
    dataDir: join(home, 'data'),
    shell: (script, env) => {
      const connection = {
        PGHOST: '127.0.0.1',
        PGPORT: String(port),
        PGUSER: 'owner',
        PGDATABASE: 'postgres',
      }
      const PATH = `${programs}:${process.env.PATH}`
      execFileSync('sh', ['-ec', script], { ...owner(), cwd: '/', env: { PATH, ...connection, ...env } })
    },
    replicate: async () => {
      const replica = ownedDirectory(atEnd)
      run('pg_basebackup', ['-d', url, '-D', join(replica, 'data'), '-R', '-X', 'stream', '-c', 'fast', '-N'])
      return serve(replica, atEnd)
    },
  }
}

interface Pooler {
  url: string
  kill(): Promise<void>
  /** Starts it again. Only after `kill`. */
  start(): void
}

/**
 * PgBouncer in front of a server, as packaging/postgresql/pgbouncer.ini configures it, until the test ends: in transaction mode with few
 * connections, so that clients share them.
 */
export async function startPooler({ url }: TestServer, mode: 'session' | 'transaction'): Promise<Pooler> {
  const home = ownedDirectory()
  const port = await findQuietPort()
  const [users, settings] = [join(home, 'users.txt'), join(home, 'pgbouncer.ini')]
  writeFileSync(users, '"owner" ""\n')
  const here = packagedFile('postgresql/pgbouncer.ini')
    .replaceAll(
      /host=\S+ port=\d+ dbname=kinora/g,
      `host=127.0.0.1 port=${new URL(url).port} dbname=postgres user=owner`,
    )
    .replace(/listen_port = \d+/, `listen_port = ${port}\nunix_socket_dir =`)
    .replace('scram-sha-256', 'any')
    .replace('/etc/pgbouncer/userlist.txt', users)
    .replace('pool_mode = transaction', `pool_mode = ${mode}`)
    .replace(/default_pool_size = \d+/, `default_pool_size = ${mode === 'session' ? 60 : 4}`)
  writeFileSync(settings, here)
  const { uid, gid } = owner() ?? {}
  const asOwner = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const args = [...asOwner, '--pdeathsig=KILL', pgbouncer, settings]
  const daemon = new Daemon(join(home, 'output'), process.env, 'setpriv', ...args)
  onTestFinished(() => daemon.stop())
  const pooled = `postgres://owner@127.0.0.1:${port}/kinora`
  await vi.waitUntil(() => responses(pooled), { timeout: 60_000 })
  return { url: pooled, kill: () => daemon.stop(), start: () => daemon.restart() }
}

function createCertificate(home: string): { file: string; key: string } {
  const [file, key] = [join(home, 'certificate.pem'), join(home, 'key.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', file]
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...subject, ...made], { stdio: 'ignore' })
  chmodSync(key, 0o600)
  own(file)
  own(key)
  return { file, key }
}

/** A temporary directory of the user that runs the server. */
export function ownedDirectory(atEnd?: AtEnd): string {
  const home = temporaryDirectory(atEnd)
  own(home)
  return home
}

function run(program: string, args: string[]): void {
  execFileSync(join(programs ?? '', program), args, { ...owner(), cwd: '/', stdio: 'ignore' })
}

/** PostgreSQL refuses to run as root. */
export function owner(): { uid: number; gid: number } | undefined {
  return isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
}

function own(path: string): void {
  const owned = owner()
  if (owned) chownSync(path, owned.uid, owned.gid)
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

async function responses(url: string): Promise<boolean> {
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
