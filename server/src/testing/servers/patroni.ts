import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { withClient } from '@kinora/platform/db/client.ts'
import { Daemon } from '@kinora/platform/testing/daemon.ts'
import { owner, programs } from './distribution-postgresql.ts'
import { packagedFile } from './documented-blocks.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'

const required = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy']

/** Why PostgreSQL with failover cannot run on this machine; undefined if it can. */
export function whyNoPatroni(): string | undefined {
  const missing = required.filter((program) => !existsSync(program))
  if (missing.length > 0 || !programs)
    return `there is no PostgreSQL with failover (${missing.join(', ')}): Debian has it, and installing it needs root`
  return process.getuid?.() === 0
    ? undefined
    : 'each database server runs in a PID namespace, which needs root'
}

/** Two PostgreSQL servers as packaging/failover configures them: Patroni, etcd, HAProxy, all on 127.0.0.1. */
export interface PostgresqlCluster {
  /** Leads to the primary. */
  url: string
  /** Leads to the replica. */
  replicaUrl: string
  versions: string
  primary(): Promise<DatabaseServer>
  replica(): Promise<DatabaseServer>
  /** Waits until there is a synchronous replica. */
  untilRedundant(): Promise<void>
  stop(): Promise<void>
}

/** Patroni and PostgreSQL in a PID namespace of their own, like a machine. */
export interface DatabaseServer {
  name: string
  /** Kills every process at once, as when power fails. */
  kill(): Promise<void>
  start(): void
  /** Kills PostgreSQL only. */
  killPostgresql(): void
  /** Suspends or continues every process, as when a virtual machine hangs. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

interface Node extends DatabaseServer {
  daemon: Daemon
  restApi: number
  port: number
}

const Members = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
})

/** Starts the servers, empty. Resolves when the replica is synchronous. */
export async function startPatroni(): Promise<PostgresqlCluster> {
  const home = await mkdtemp(join(tmpdir(), 'kinora-patroni-'))
  await own(home)
  const daemons: Daemon[] = []
  const stop = async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()))
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    return { ...(await bringUp(home, daemons)), stop }
  } catch (error) {
    const output = await Promise.all(daemons.map((daemon) => daemon.output()))
    await stop()
    throw new Error(`PostgreSQL with failover did not start:\n${output.join('\n')}`, { cause: error })
  }
}

async function bringUp(home: string, daemons: Daemon[]): Promise<Omit<PostgresqlCluster, 'stop'>> {
  const port = await portsBy(['etcd', 'etcdPeer', 'api1', 'api2', 'db1', 'db2', 'primary', 'replica'])
  const here = (text: string) =>
    text
      .replace('[10.0.0.1:2379, 10.0.0.2:2379, 10.0.0.3:2379]', `[127.0.0.1:${port.etcd}]`)
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('127.0.0.1:5000', `127.0.0.1:${port.primary}`)
      .replaceAll('127.0.0.1:5001', `127.0.0.1:${port.replica}`)
      .replaceAll(/10\.0\.0\.1:5432( check port 8008)?/g, address(port.db1, port.api1))
      .replaceAll(/10\.0\.0\.2:5432( check port 8008)?/g, address(port.db2, port.api2))
  const env = { ...process.env, HOME: home }
  const keep = (program: string, ...args: string[]) => {
    const daemon = new Daemon(join(home, `${daemons.length}.out`), env, program, ...args)
    daemons.push(daemon)
    return daemon
  }

  const etcd = `http://127.0.0.1:${port.etcd}`
  const peer = `http://127.0.0.1:${port.etcdPeer}`
  const etcdOptions = {
    name: 'etcd',
    'data-dir': join(home, 'etcd'),
    'listen-client-urls': etcd,
    'advertise-client-urls': etcd,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
  }
  keep('/usr/bin/etcd', ...Object.entries(etcdOptions).map(([name, value]) => `--${name}=${value}`))
  const config = packagedFile('failover/patroni.yml')
  const startNode = async (name: string, apiPort: number, dbPort: number): Promise<Node> => {
    const directory = join(home, name)
    await mkdir(directory)
    await own(directory)
    const file = join(directory, 'patroni.yml')
    const settings = here(config)
      .replaceAll('10.0.0.1:8008', `127.0.0.1:${apiPort}`)
      .replaceAll(`127.0.0.1:${port.db1}`, `127.0.0.1:${dbPort}`)
      .replace('name: db1', `name: ${name}`)
      .replace('/var/lib/postgresql/15/kinora', join(directory, 'data'))
      .replace('/usr/lib/postgresql/15/bin', programs ?? '')
    await writeFile(file, `${settings}  parameters: { unix_socket_directories: ${directory} }\n`)
    const { uid, gid } = owner() ?? {}
    const inNamespace = ['--pid', '--mount-proc', '--fork', '--kill-child']
    const asOwner = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig=KILL']
    const daemon = keep('unshare', ...inNamespace, ...asOwner, 'patroni', file)
    return {
      name,
      daemon,
      restApi: apiPort,
      port: dbPort,
      kill: () => daemon.stop(),
      start: () => daemon.restart(),
      killPostgresql: () => {
        const postmaster = below(daemon.pid).find(({ args }) => args.includes(`--port=${dbPort}`))
        process.kill(postmaster?.pid ?? 0, 'SIGKILL')
      },
      signal: (signal) => {
        for (const { pid } of below(daemon.pid)) process.kill(pid, signal)
      },
    }
  }
  const nodes = [await startNode('db1', port.api1, port.db1), await startNode('db2', port.api2, port.db2)]

  const members = async () => {
    const asked = nodes.map(async ({ restApi }) => {
      const signal = AbortSignal.timeout(1000)
      return Members.parse(await (await fetch(`http://127.0.0.1:${restApi}/cluster`, { signal })).json())
        .members
    })
    return Promise.any(asked).catch(() => [])
  }
  const find = async (isWanted: (role: string) => boolean) => {
    const wanted = (await members()).find(({ role }) => isWanted(role))
    const node = nodes.find(({ name }) => name === wanted?.name)
    if (!node) throw new Error('there is no such database server at the moment')
    return node
  }
  const until = async (isTrue: () => Promise<boolean>) => {
    const deadline = Date.now() + 60_000
    while (!(await isTrue())) {
      if (Date.now() > deadline || daemons.every(({ hasEnded }) => hasEnded))
        throw new Error('the database servers do not get ready')
      await delay(200)
    }
  }
  const untilRedundant = () =>
    until(async () =>
      (await members()).some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state)),
    )

  await untilRedundant()
  const proxy = join(home, 'haproxy.cfg')
  await writeFile(proxy, here(packagedFile('failover/haproxy.cfg')))
  keep('/usr/sbin/haproxy', '-db', '-f', proxy)
  const urlOf = (each: number) => `postgres://postgres:change-me-1@127.0.0.1:${each}/kinora`
  const isReplica = async (database: string) =>
    withClient(
      database,
      async (client) => (await client.query('select pg_is_in_recovery() as is')).rows[0]?.is,
    ).catch(() => undefined)
  const { port: primaryPort } = await find((role) => role === 'leader')
  await withClient(urlOf(primaryPort).replace(/kinora$/, 'postgres'), (client) =>
    client.query('create database kinora'),
  )
  // Before its first check, HAProxy counts both servers as primary and replica, and uses them in turn.
  const leadsTo = (database: string, wanted: boolean) => async () =>
    (await isReplica(database)) === wanted && (await isReplica(database)) === wanted
  await until(leadsTo(urlOf(port.primary), false))
  await until(leadsTo(urlOf(port.replica), true))
  return {
    url: urlOf(port.primary),
    replicaUrl: urlOf(port.replica),
    versions: [versionOf('postgres'), versionOf('patroni'), versionOf('etcd'), versionOf('haproxy')].join(
      ', ',
    ),
    primary: () => find((role) => role === 'leader'),
    replica: () => find((role) => role !== 'leader'),
    untilRedundant,
  }
}

const address = (port: number, api: number) => (_: string, check?: string) =>
  check ? `127.0.0.1:${port} check port ${api}` : `127.0.0.1:${port}`

async function portsBy<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const entries = await Promise.all(names.map(async (name) => [name, await findQuietPort()] as const))
  return Object.fromEntries(entries) as Record<Name, number>
}

async function own(path: string): Promise<void> {
  const { uid, gid } = owner() ?? {}
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

/** The processes below one, without itself. */
function below(pid: number) {
  const all = listProcesses()
  const found = new Set([pid])
  for (let size = 0; size !== found.size;) {
    size = found.size
    for (const each of all) if (found.has(each.parent)) found.add(each.pid)
  }
  return all.filter((each) => each.pid !== pid && found.has(each.pid))
}

/** Name and version of an installed program. */
function versionOf(program: 'postgres' | 'patroni' | 'etcd' | 'haproxy'): string {
  const path =
    program === 'postgres' ? join(programs ?? '', program) : required.find((each) => each.endsWith(program))
  const flag = program === 'haproxy' ? '-v' : '--version'
  const text = execFileSync(path ?? program, [flag], { encoding: 'utf8' })
  const names = { postgres: 'PostgreSQL', patroni: 'Patroni', etcd: 'etcd', haproxy: 'HAProxy' }
  return `${names[program]} ${/\d+(\.\d+)+/.exec(text)?.[0]}`
}
