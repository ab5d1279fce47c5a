import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { boxBuilders, boxFor, boxHolds } from '../media/box.ts'
import { readTool } from '../media/ffmpeg.ts'
import { findEmbedded } from '../platform/db/embedded.ts'
import { listApplied, listMigrations, migrationsDirectory } from '../platform/db/migrate.ts'
import { newId } from '../platform/ids.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { codeOf } from '../platform/errors.ts'
import { checkDatabase } from '../supervisor/external-database.ts'
import { withClient } from './backup/dump.ts'
import { formatBytes } from './output.ts'

export interface Finding {
  about: string
  /** `bad` is to be mended; `note` is worth knowing. */
  state: 'good' | 'note' | 'bad'
  says: string
}

const newestNeeded = { node: 24, ffmpeg: [5, 1] as const }
const lowDiskBytes = 5e9
const clockToleranceMs = 5000
/** A job that nobody takes for so long means that no worker runs. */
const stuckAfterSeconds = 120
/** A replica that is so far behind is left out. */
const lagSeconds = 1

/** Looks at everything that a site stands on and says in plain words what is wrong with it. Leaves nothing changed. */
export async function examine(): Promise<Finding[]> {
  const findings: Finding[] = []
  const say = (about: string, state: Finding['state'], says: string) =>
    void findings.push({ about, state, says })
  checkNode(say)
  const config = checkSettings(say)
  if (!config) return findings
  if (await checkFfmpeg(config, say)) await checkBox(config, say)
  checkDataDir(config, say)
  await checkBucket(config, say)
  const url = config.databaseUrl ?? (await findEmbedded(config.dataDir).catch(() => undefined))
  const isRunning = await checkPort(config, say)
  if (url) await checkPostgresql(config, url, say)
  else if (isRunning)
    say(
      'database',
      'bad',
      'The embedded database does not answer: its log is DATA_DIR/postgres/postgres.log.',
    )
  else say('database', 'note', 'The embedded database is not running: it starts with the site (`npm start`).')
  return findings
}

type Say = (about: string, state: Finding['state'], says: string) => void

function checkNode(say: Say): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= newestNeeded.node) say('node', 'good', `Node ${process.version}`)
  else say('node', 'bad', `Node ${process.version} is too old: ${newestNeeded.node} or later is needed.`)
}

function checkSettings(say: Say): Config | undefined {
  try {
    const config = readConfig()
    say('settings', 'good', `All settings can be read; DATA_DIR is ${config.dataDir}`)
    if (config.trustProxy > 0 && !config.publicUrl)
      say(
        'settings',
        'note',
        'TRUST_PROXY is set and PUBLIC_URL is not: links are made from what the proxy says.',
      )
    if (config.host !== '127.0.0.1' && config.host !== 'localhost' && !config.publicUrl)
      say(
        'settings',
        'note',
        `Everybody who reaches ${config.host} is let in without TLS: put a proxy in front.`,
      )
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    say('settings', 'bad', error.message)
    return undefined
  }
}

/** Answers whether both programs can be run. */
async function checkFfmpeg({ ffmpegPath, ffprobePath }: Config, say: Say): Promise<boolean> {
  const ask = (program: string, args: string[]) =>
    readTool(program, args, { timeoutMs: 20_000, maxBytes: 1024 * 1024 }).then(String)
  for (const program of [ffmpegPath, ffprobePath]) {
    try {
      const version = /version n?(\d+)\.(\d+)/.exec(await ask(program, ['-version']))
      const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
      const [wantedMajor, wantedMinor] = newestNeeded.ffmpeg
      if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor))
        say(
          'ffmpeg',
          'bad',
          `${program} is version ${major}.${minor}: ${wantedMajor}.${wantedMinor} or later is needed.`,
        )
      else say('ffmpeg', 'good', `${program} ${version ? `${major}.${minor}` : '(a development version)'}`)
    } catch {
      say('ffmpeg', 'bad', `${program} cannot be run: install ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH.`)
      return false
    }
  }
  const encoders = await ask(ffmpegPath, ['-hide_banner', '-encoders'])
  for (const name of ['libx264', 'aac']) {
    if (!new RegExp(`^ [VA]\\S* +${name} `, 'm').test(encoders))
      say('ffmpeg', 'bad', `${ffmpegPath} lacks the encoder ${name}: install a complete ffmpeg.`)
  }
  return true
}

/** What strangers' files could do on this machine while ffmpeg reads them. */
async function checkBox({ ffmpegPath }: Config, say: Say): Promise<void> {
  const { name } = await boxFor(ffmpegPath)
  const builders = boxBuilders()
  const list = (isThere: boolean) => builders.filter((one) => one.isThere === isThere).map((one) => one.name)
  const missing = list(false).length > 0 ? `; not found: ${list(false).join(', ')}` : ''
  const found = `found: ${list(true).join(', ') || 'nothing'}${missing}`
  const held = `ffmpeg runs in the box ${name} (${found}): ${boxHolds[name]}`
  if (name === 'bubblewrap') return say('box', 'good', held)
  const advice = builders.some((one) => one.name === 'bwrap' && one.isThere)
    ? 'bwrap is there, but may not make user namespaces here: the system or the container forbids them.'
    : 'Install bubblewrap (apt install bubblewrap) for a stronger one.'
  say('box', 'note', `${held}. ${advice}`)
}

function checkDataDir({ dataDir }: Config, say: Say): void {
  try {
    const probe = mkdtempSync(path.join(dataDir, '.doctor-'))
    writeFileSync(path.join(probe, 'file'), 'x', { flush: true })
    rmSync(probe, { recursive: true })
    say('storage', 'good', `${dataDir} can be written to`)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'ENOENT') say('storage', 'note', `${dataDir} does not exist yet: the first start makes it.`)
    else
      say(
        'storage',
        'bad',
        `${dataDir} cannot be written to (${code}): give this user the right, or set DATA_DIR.`,
      )
    return
  }
  const { bavail, bsize, blocks } = statfsSync(dataDir)
  const free = `${formatBytes(bavail * bsize)} of ${formatBytes(blocks * bsize)} are free`
  say(
    'disk',
    bavail * bsize < lowDiskBytes ? 'bad' : 'good',
    bavail * bsize < lowDiskBytes ? `Only ${free}: uploads will be refused soon.` : free,
  )
  if ((statSync(dataDir).mode & 0o007) !== 0)
    say('storage', 'note', `${dataDir} can be read by every user of this machine: chmod 750 keeps them out.`)
}

/** Whether objects can be written and read, and by pages of the site as well where browsers are sent to the bucket. */
async function checkBucket(config: Config, say: Say): Promise<void> {
  if (!config.storageUrl) return
  const key = `check/${newId()}`
  try {
    await using storage = await openStorage(config)
    say('bucket', 'good', 'Objects can be written to the bucket, listed, read and deleted')
    if (config.mediaDelivery !== 'redirect') return
    await storage.put(key, Buffer.from('kinora'))
    try {
      await checkAddress(config, (await storage.addressOf(key, plainText)) ?? '', say)
    } finally {
      await storage.delete(key)
    }
  } catch (error) {
    say('bucket', 'bad', error instanceof Error ? error.message : String(error))
  }
}

const plainText = { type: 'text/plain', cacheControl: 'no-store' }

async function openStorage(config: Config): Promise<Storage & AsyncDisposable> {
  const storage = await createStorage(config)
  return Object.assign(storage, { [Symbol.asyncDispose]: () => storage.close() })
}

/** Asks as a page of the site would. */
async function checkAddress({ publicUrl, port }: Config, address: string, say: Say): Promise<void> {
  const origin = new URL(publicUrl ?? `http://localhost:${port}`).origin
  const answer = await fetch(address, { headers: { origin }, signal: AbortSignal.timeout(10_000) })
  await answer.arrayBuffer()
  const allowed = answer.headers.get('access-control-allow-origin')
  if (!answer.ok)
    say('bucket', 'bad', `Browsers are sent to the bucket, which answers them ${answer.status}.`)
  else if (allowed === '*' || allowed === origin)
    say('bucket', 'good', `Pages of ${origin} may load media from the bucket`)
  else
    say(
      'bucket',
      'bad',
      `Browsers are sent to the bucket, which does not let pages of ${origin} load from it: allow GET and HEAD from there (CORS), or set MEDIA_DELIVERY=stream.`,
    )
}

/** Whether something that is Kinora answers there. */
async function checkPort({ host, port }: Config, say: Say): Promise<boolean> {
  if (port === 0) return false
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  const answer = await fetch(`http://${local}:${port}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  )
  if (answer) {
    const text = await answer.text()
    if (answer.ok && text.includes('ready')) say('port', 'good', `The site runs on port ${port} and is ready`)
    else if (text.includes('ready'))
      say('port', 'bad', `The site runs on port ${port} and is not ready: ${text}`)
    else say('port', 'bad', `Another program answers on port ${port}: stop it, or set PORT.`)
    return text.includes('ready')
  }
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
  if (isFree) say('port', 'note', `The site does not run here; port ${port} is free`)
  else
    say(
      'port',
      'bad',
      `Port ${port} on ${host} cannot be used, and nothing that is Kinora answers there: set PORT or HOST.`,
    )
  return false
}

async function checkPostgresql(config: Config, url: string, say: Say): Promise<void> {
  try {
    if (config.databaseUrl) await checkDatabase(url, 0)
  } catch (error) {
    say('database', 'bad', error instanceof Error ? error.message : String(error))
    return
  }
  await withClient(url, async (client) => {
    const askedAt = Date.now()
    const { rows } = await client.query<{
      version: string
      now: Date
      hasUnaccent: boolean
      isTls: boolean
      left: number
    }>(`
      select current_setting('server_version') as version, clock_timestamp() as now,
        exists (select from pg_available_extensions where name = 'unaccent') as "hasUnaccent",
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isTls",
        current_setting('max_connections')::int - (select count(*) from pg_stat_activity)::int as left`)
    const [found] = rows
    if (!found) return
    say('database', 'good', `PostgreSQL ${found.version} answers${found.isTls ? ', with TLS' : ''}`)
    if (!found.hasUnaccent)
      say('database', 'bad', 'PostgreSQL lacks the extension unaccent: install postgresql-contrib.')
    if (found.left < 20)
      say('database', 'bad', `PostgreSQL has only ${found.left} connections left: raise max_connections.`)
    const skewMs = Math.abs(found.now.getTime() - (askedAt + Date.now()) / 2)
    if (skewMs > clockToleranceMs)
      say(
        'clock',
        'bad',
        `The clocks of this machine and of the database differ by ${Math.round(skewMs / 1000)} s: set them by NTP.`,
      )
    else say('clock', 'good', 'The clocks of this machine and of the database agree')
    const applied = new Set(await listApplied(client))
    const files = await listMigrations(migrationsDirectory)
    const missing = files.filter((name) => !applied.has(name))
    const newer = [...applied].filter((name) => !files.includes(name))
    if (newer.length > 0)
      say('migrations', 'note', `The database was migrated by a newer Kinora (${newer.join(', ')}).`)
    if (missing.length > 0) say('migrations', 'note', `The next start applies ${missing.join(', ')}`)
    else say('migrations', 'good', `The database is as this version needs it (${files.length} migrations)`)
    await checkQueue(client, say)
  })
  if (config.databaseReplicaUrl) await checkReplica(config.databaseReplicaUrl, say)
}

async function checkReplica(url: string, say: Say): Promise<void> {
  try {
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ isReplica: boolean; lag: number | null }>(`
        select pg_is_in_recovery() as "isReplica",
          case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
            else extract(epoch from now() - pg_last_xact_replay_timestamp())::int end as lag`)
      const [found] = rows
      if (!found?.isReplica)
        say('replica', 'bad', 'DATABASE_REPLICA_URL names no replica: correct it, or leave it out.')
      else if (found.lag === null || found.lag > lagSeconds)
        say(
          'replica',
          'note',
          `The replica is ${found.lag ?? 'some'} s behind: it is read from once it has caught up.`,
        )
      else say('replica', 'good', 'The replica answers and keeps up')
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    say('replica', 'bad', `The replica cannot be reached (${reason}): everything is read from the primary.`)
  }
}

async function checkQueue(client: Parameters<Parameters<typeof withClient>[1]>[0], say: Say): Promise<void> {
  const read = async () => {
    const { rows: there } = await client.query("select 1 where to_regclass('pgboss.job') is not null")
    if (there.length === 0) return undefined
    const { rows } = await client.query<{ waiting: number; running: number; age: number; failed: number }>(`
      select count(*) filter (where state < 'active' and start_after <= now())::int as waiting,
        count(*) filter (where state = 'active')::int as running,
        count(*) filter (where state = 'failed')::int as failed,
        coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)::int as age
      from pgboss.job`)
    return rows[0]
  }
  const queue = await read()
  if (!queue) return say('queue', 'note', 'There is no queue yet: the first start makes it.')
  if (queue.waiting > 0 && queue.running === 0 && queue.age > stuckAfterSeconds) {
    // between two jobs nothing runs for a moment
    await delay(3000)
    if ((await read())?.running === 0)
      say(
        'queue',
        'bad',
        `${queue.waiting} jobs wait, the oldest for ${queue.age} s, and none runs: no worker is alive.`,
      )
  } else say('queue', 'good', `${queue.waiting} jobs wait, ${queue.running} run`)
  if (queue.failed > 0)
    say('queue', 'note', `${queue.failed} jobs failed of late: \`kinora jobs list --failed\` says why.`)
}
