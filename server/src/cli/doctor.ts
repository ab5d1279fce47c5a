import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type Config, ConfigError, findMisspelledSettings, readConfig } from '../config.ts'
import { Repository } from '../features/backups/actions/repository.ts'
import { findEmbedded } from '../platform/db/embedded/embedded.ts'
import { type FileSystem, freeSpaceOf } from '../platform/files/disk-space.ts'
import { codeOf } from '../platform/errors.ts'
import { formatBytes } from '../platform/format-bytes.ts'
import { siteUrl } from '../platform/listen-address.ts'
import { checkBucket } from './doctor/bucket.ts'
import { checkPostgresql } from './doctor/database.ts'
import { checkFfmpeg, checkSandbox } from './doctor/ffmpeg.ts'
import type { Finding, Report } from './doctor/finding.ts'

const oldestNode = 24
const lowDiskBytes = 5e9
const oldBackupDays = 7

/** Inspects everything that a site needs and reports what is wrong. Changes nothing. */
export async function examine(): Promise<Finding[]> {
  const findings: Finding[] = []
  const report = (subject: string, state: Finding['state'], message: string) =>
    void findings.push({ subject, state, message })
  checkNode(report)
  const config = checkSettings(report)
  if (!config) return findings
  if (await checkFfmpeg(config, report)) await checkSandbox(config, report)
  checkDataDir(config, report)
  await checkBucket(config, report)
  await checkBackups(config, report)
  // An embedded server that cannot be reached is reported as not running.
  const url = config.databaseUrl ?? (await findEmbedded(config.dataDir).catch(() => undefined))
  const isRunning = await checkPort(config, report)
  if (url) await checkPostgresql(config, url, report)
  else if (isRunning)
    report(
      'database',
      'bad',
      'The embedded database does not respond. Read its log, DATA_DIR/postgres/postgres.log.',
    )
  else
    report('database', 'note', 'The embedded database is not running. It starts with the site (`npm start`).')
  return findings
}

function checkNode(report: Report): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= oldestNode) report('node', 'good', `Node ${process.version}`)
  else report('node', 'bad', `Node ${process.version} is too old. Install ${oldestNode} or later.`)
}

function checkSettings(report: Report): Config | undefined {
  try {
    const config = readConfig()
    report('settings', 'good', `All settings are valid; DATA_DIR is ${config.dataDir}`)
    for (const { given, meant } of findMisspelledSettings())
      report('settings', 'bad', `${given} is not a setting. Did you mean ${meant}?`)
    if (config.trustProxy > 0 && !config.publicUrl)
      report(
        'settings',
        'note',
        'TRUST_PROXY is set without PUBLIC_URL, so links use the Host header of the proxy. Set PUBLIC_URL.',
      )
    if (config.host !== '127.0.0.1' && config.host !== 'localhost' && !config.publicUrl)
      report(
        'settings',
        'note',
        `The site is reachable at ${config.host} without TLS. Use a reverse proxy with TLS.`,
      )
    if (!config.metricsToken)
      report('metrics', 'note', 'The web process serves no /metrics. Set METRICS_TOKEN to enable it.')
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    report('settings', 'bad', error.message)
    return undefined
  }
}

function checkDataDir({ dataDir }: Config, report: Report): void {
  try {
    const probe = mkdtempSync(path.join(dataDir, '.doctor-'))
    writeFileSync(path.join(probe, 'file'), 'x', { flush: true })
    rmSync(probe, { recursive: true })
    report('storage', 'good', `${dataDir} can be written to`)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'ENOENT')
      report('storage', 'note', `${dataDir} does not exist yet. The first start creates it.`)
    else
      report(
        'storage',
        'bad',
        `${dataDir} cannot be written to (${code}). Give this user the right, or set DATA_DIR.`,
      )
    return
  }
  reportDisk(statfsSync(dataDir), report)
  if ((statSync(dataDir).mode & 0o007) !== 0)
    report('storage', 'note', `${dataDir} can be read by every user of this machine. Run chmod 750 on it.`)
}

/** Exported for the test, which cannot fill a disk. */
export function reportDisk(disk: FileSystem, report: Report): void {
  const { freeBytes, floorBytes } = freeSpaceOf(disk)
  const free = `${formatBytes(freeBytes)} of ${formatBytes(disk.blocks * disk.bsize)} are free`
  if (freeBytes < floorBytes)
    report(
      'disk',
      'bad',
      `Only ${free}. Uploads are rejected below ${formatBytes(floorBytes)}. Delete files or use a larger disk.`,
    )
  else if (freeBytes < lowDiskBytes)
    report('disk', 'bad', `Only ${free}. Uploads will be rejected soon. Delete files or use a larger disk.`)
  else report('disk', 'good', free)
}

/** Reports the age of the newest backup in the default directory. */
async function checkBackups({ dataDir }: Config, report: Report): Promise<void> {
  const directory = path.join(dataDir, 'backups')
  const newest = (await new Repository(directory).list()).at(-1)
  if (newest === undefined) return report('backup', 'note', `There is no backup in ${directory}.`)
  const madeAt = Date.parse((await new Repository(directory).readManifest(newest)).madeAt)
  const days = Math.floor((Date.now() - madeAt) / 86_400_000)
  if (days > oldBackupDays) report('backup', 'note', `The newest backup in ${directory} is ${days} days old.`)
  else report('backup', 'good', `The newest backup is of ${newest}`)
}

/** Reports whether Kinora, another program or nothing listens on the port. */
async function checkPort({ host, port }: Config, report: Report): Promise<boolean> {
  if (port === 0) return false
  const response = await fetch(`${siteUrl(host, port)}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  )
  if (response) {
    const text = await response.text()
    if (response.ok && text.includes('ready'))
      report('port', 'good', `The site runs on port ${port} and is ready`)
    else if (text.includes('ready'))
      report('port', 'bad', `The site runs on port ${port} and is not ready: ${text}`)
    else report('port', 'bad', `Another program uses port ${port}. Stop it, or set PORT.`)
    return text.includes('ready')
  }
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
  if (isFree) report('port', 'note', `The site does not run here; port ${port} is free`)
  else
    report(
      'port',
      'bad',
      `Port ${port} on ${host} cannot be opened, and Kinora does not run there. Set PORT or HOST.`,
    )
  return false
}
