import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type Config, ConfigError, findMisspelledSettings, readConfig } from '../config.ts'
import { Repository } from '../features/backups/actions/repository.ts'
import { findEmbedded } from '../platform/db/embedded.ts'
import { type FileSystem, freeSpaceOf } from '../platform/files/disk-space.ts'
import { codeOf } from '../platform/errors.ts'
import { formatBytes } from '../platform/format-bytes.ts'
import { addressOf } from '../platform/listen-address.ts'
import { checkBucket } from './doctor/bucket.ts'
import { checkPostgresql } from './doctor/database.ts'
import { checkFfmpeg, checkSandbox } from './doctor/ffmpeg.ts'
import type { Finding, Say } from './doctor/finding.ts'

const oldestNode = 24
const lowDiskBytes = 5e9
const oldBackupDays = 7

/** Looks at everything that a site stands on and says in plain words what is wrong with it. Leaves nothing changed. */
export async function examine(): Promise<Finding[]> {
  const findings: Finding[] = []
  const say = (about: string, state: Finding['state'], says: string) =>
    void findings.push({ about, state, says })
  checkNode(say)
  const config = checkSettings(say)
  if (!config) return findings
  if (await checkFfmpeg(config, say)) await checkSandbox(config, say)
  checkDataDir(config, say)
  await checkBucket(config, say)
  await checkBackups(config, say)
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

function checkNode(say: Say): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= oldestNode) say('node', 'good', `Node ${process.version}`)
  else say('node', 'bad', `Node ${process.version} is too old: ${oldestNode} or later is needed.`)
}

function checkSettings(say: Say): Config | undefined {
  try {
    const config = readConfig()
    say('settings', 'good', `All settings can be read; DATA_DIR is ${config.dataDir}`)
    for (const { given, meant } of findMisspelledSettings())
      say('settings', 'bad', `${given} is not a setting. Did you mean ${meant}?`)
    if (config.trustProxy > 0 && !config.publicUrl)
      say(
        'settings',
        'note',
        'TRUST_PROXY is set and PUBLIC_URL is not: links name the host that the proxy asks for. Set PUBLIC_URL.',
      )
    if (config.host !== '127.0.0.1' && config.host !== 'localhost' && !config.publicUrl)
      say(
        'settings',
        'note',
        `Everybody who reaches ${config.host} is let in without TLS: put a proxy in front.`,
      )
    if (!config.metricsToken)
      say('metrics', 'note', 'The web process serves no /metrics: set METRICS_TOKEN to read them.')
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    say('settings', 'bad', error.message)
    return undefined
  }
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
  reportDisk(statfsSync(dataDir), say)
  if ((statSync(dataDir).mode & 0o007) !== 0)
    say('storage', 'note', `${dataDir} can be read by every user of this machine: chmod 750 keeps them out.`)
}

/** Exported for the test: no test can fill the disk of the machine. */
export function reportDisk(disk: FileSystem, say: Say): void {
  const { freeBytes, floorBytes } = freeSpaceOf(disk)
  const free = `${formatBytes(freeBytes)} of ${formatBytes(disk.blocks * disk.bsize)} are free`
  if (freeBytes < floorBytes)
    say(
      'disk',
      'bad',
      `Only ${free}: uploads are refused below ${formatBytes(floorBytes)}. Delete files or use a larger disk.`,
    )
  else if (freeBytes < lowDiskBytes) say('disk', 'bad', `Only ${free}: uploads will be refused soon.`)
  else say('disk', 'good', free)
}

/** How old the newest backup is, where backups are kept unless a command names another directory. */
async function checkBackups({ dataDir }: Config, say: Say): Promise<void> {
  const directory = path.join(dataDir, 'backups')
  const newest = (await new Repository(directory).list()).at(-1)
  if (newest === undefined) return say('backup', 'note', `There is no backup in ${directory}.`)
  const madeAt = Date.parse((await new Repository(directory).readManifest(newest)).madeAt)
  const days = Math.floor((Date.now() - madeAt) / 86_400_000)
  if (days > oldBackupDays) say('backup', 'note', `The newest backup in ${directory} is ${days} days old.`)
  else say('backup', 'good', `The newest backup is of ${newest}`)
}

/** Whether something that is Kinora answers there. */
async function checkPort({ host, port }: Config, say: Say): Promise<boolean> {
  if (port === 0) return false
  const answer = await fetch(`${addressOf(host, port)}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
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
