import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { prepareLauncher } from '@kinora/platform/db/embedded/binaries.ts'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { findPort } from '@kinora/platform/listen-address.ts'
import { send } from './load.ts'
import { childrenOf, cpuSeconds } from './processes.ts'
import { round, datasetSizes } from './reads.ts'
import { uncachedCookie } from './product.ts'
import { report, type Row } from './report.ts'
import { openDataset, videoId } from './dataset.ts'

/**
 * CPU of primary and replica for uncached anonymous reads, with and without DATABASE_REPLICA_URL, alternating.
 * `npm run bench -- replica 50000`
 */
const seconds = 4
const webProgram = join(import.meta.dirname, '../server/src/bin/web.ts')
const quiet = { info: () => undefined, warn: console.warn }

interface Server {
  url: string
  /** CPU seconds that all its processes have used so far. */
  cpu(): number
  stop(): Promise<void>
}

const videos = datasetSizes()[0] ?? 50_000
const dataset = await openDataset(videos)
const { dataDir } = dataset
await dataset.stop()
const copyDir = mkdtempSync(join(tmpdir(), 'kinora-replica-'))
const running: { stop(): Promise<void> }[] = [
  { stop: async () => rmSync(copyDir, { recursive: true, force: true }) },
]
try {
  // a cleanly stopped cluster can be copied as a base backup
  execFileSync('cp', ['-a', join(dataDir, 'postgres'), copyDir])
  const database = await startEmbedded({ dataDir, log: quiet })
  const primary = { url: database.url, cpu: cpuOf(dataDir), stop: () => database.stop() }
  running.push(primary)
  const replica = await startReplica(primary.url)
  running.push(replica)
  const sites = {
    without: await startWeb({ DATABASE_URL: primary.url }),
    with: await startWeb({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica.url }),
  }
  running.push(sites.without, sites.with)

  const rows: Row[] = []
  for (const [question, paths] of Object.entries(await pathsByQuestion(sites.without.url))) {
    const without = await measure(sites.without, paths)
    const withReplica = await measure(sites.with, paths)
    rows.push({
      question,
      'primary, CPU ms': round(without.primary, 3),
      'primary with a replica, CPU ms': round(withReplica.primary, 3),
      'of it': round(withReplica.primary / without.primary, 2),
      'replica, CPU ms': round(withReplica.replica, 3),
      'web, CPU ms': round(without.web, 3),
      'web with a replica, CPU ms': round(withReplica.web, 3),
      'p50 ms': round(without.p50, 2),
      'p50 with a replica, ms': round(withReplica.p50, 2),
    })
  }
  report('replica', { videos }, rows)

  /** Milliseconds of CPU per request, of all processes that take part. */
  async function measure(web: Server, paths: string[]) {
    const headers = { cookie: uncachedCookie }
    await send({ url: web.url, headers, paths: paths.slice(0, paths.length / 2), seconds: 1 })
    const cpu = () => ({ primary: primary.cpu(), replica: replica.cpu(), web: web.cpu() })
    const before = cpu()
    const { requests, statuses, p50 } = await send({
      url: web.url,
      headers,
      paths: paths.slice(paths.length / 2),
      seconds,
    })
    const after = cpu()
    if (Object.keys(statuses).join() !== '200') throw new Error(`returned ${JSON.stringify(statuses)}`)
    const perRequest = (name: keyof typeof before) => ((after[name] - before[name]) * 1000) / requests
    return { primary: perRequest('primary'), replica: perRequest('replica'), web: perRequest('web'), p50 }
  }
} finally {
  for (const each of running.toReversed()) await each.stop()
}

async function startReplica(primaryUrl: string): Promise<Server> {
  const launcher = prepareLauncher(join(copyDir, 'postgres'))
  const data = join(launcher.home, 'data')
  const signal = join(data, 'standby.signal')
  writeFileSync(signal, '')
  launcher.own(signal)
  const url = new URL(primaryUrl)
  const { port, username, password } = url
  url.port = String(await findPort('127.0.0.1', 0, 0))
  const settings = {
    port: url.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
    // the settings of the primary
    shared_buffers: '128MB',
    random_page_cost: '1.1',
  }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = launcher.command('postgres', ['-D', data, ...given])
  const server = spawn(file, args, { ...options, stdio: 'ignore' })
  process.once('exit', () => server.kill('SIGINT'))
  return { url: url.href, cpu: cpuOf(copyDir), stop: () => end(server, 'SIGINT') }
}

/** Starts a web process and waits until it is ready and, if it has a replica, uses it. */
async function startWeb(env: Record<string, string>): Promise<Server> {
  const port = await findPort('127.0.0.1', 0, 0)
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [webProgram], {
    env: {
      ...process.env,
      DATABASE_REPLICA_URL: '',
      ...env,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'error',
      REQUESTS_PER_MINUTE: '10000000',
      SEARCHES_PER_MINUTE: '10000000',
    },
    stdio: 'inherit',
  })
  process.once('exit', () => child.kill('SIGTERM'))
  const deadline = Date.now() + 60_000
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    const { notes } = ((await response?.json()) ?? {}) as { notes?: { replica?: string } }
    if (response?.ok && (env['DATABASE_REPLICA_URL'] === undefined || notes?.replica === 'used')) break
    if (Date.now() > deadline) throw new Error(`web is not ready: ${response?.status} ${notes?.replica}`)
    await delay(50)
  }
  return { url, cpu: () => cpuSeconds([child.pid ?? 0]), stop: () => end(child, 'SIGTERM') }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function cpuOf(directory: string): () => number {
  const { home } = prepareLauncher(join(directory, 'postgres'))
  return () => {
    const postmaster = Number(readFileSync(join(home, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0])
    return cpuSeconds([postmaster, ...childrenOf(postmaster)])
  }
}

/** Paths of each question, in the order in which they are requested. */
async function pathsByQuestion(url: string): Promise<Record<string, string[]>> {
  const many = <T>(address: (n: number) => T) => Array.from({ length: 100_000 }, (_, n) => address(n))
  const list = await fetch(`${url}/api/v1/video/all?limit=200`)
  const { data, nextCursor } = (await list.json()) as { data: { title: string }[]; nextCursor: string }
  const words = data.flatMap(({ title }) => title.toLowerCase().split(' ')).filter((word) => word.length > 5)
  return {
    'one video': many((n) => `/api/v1/video/${videoId((n * 7919) % videos)}`),
    '24 of the list': many(() => `/api/v1/video/all?limit=24&cursor=${nextCursor}`),
    'search for a word': many((n) => `/api/v1/video/search/${words[n % words.length]}?limit=24`),
  }
}
