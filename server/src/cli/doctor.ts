import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Finding } from '@kinora/contract/operations/health.ts'
import { type Config, ConfigError, readConfig } from '../context/config.ts'
import type { Db } from '../context/database.ts'
import { checkBackups } from '../features/operations/health/actions/backups.ts'
import { checkBucket } from '../features/operations/health/actions/bucket.ts'
import { checkCaptions } from '../features/operations/health/actions/captions.ts'
import { checkPostgresql } from '../features/operations/health/actions/database.ts'
import { checkDisk } from '../features/operations/health/actions/disk.ts'
import { checkFfmpeg, checkSandbox } from '../features/operations/health/actions/ffmpeg.ts'
import { collectFindings, type Report } from '../features/operations/health/actions/finding.ts'
import { checkLive } from '../features/operations/health/actions/live.ts'
import { checkMail } from '../features/operations/health/actions/mail.ts'
import { checkSettings } from '../features/operations/health/actions/settings.ts'
import { checkUser } from '../features/operations/health/actions/user.ts'
import { checkWorkers } from '../features/operations/health/actions/workers.ts'
import { findEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { withDb } from '@kinora/platform/db/pool.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import { siteUrl } from '@kinora/platform/listen-address.ts'

const oldestNode = 24
/** Time that the workers of a site that has just started have until their first heartbeat. */
const firstHeartbeatMs = 5000
/** Reading the workers is one short statement. */
const workersMs = 10_000

/** Inspects everything that a site needs and reports what is wrong. Changes nothing. */
export async function examine(): Promise<Finding[]> {
  const { findings, report } = collectFindings()
  checkNode(report)
  const config = readSettings(report)
  if (!config) return findings
  if (await checkFfmpeg(config, report)) await checkSandbox(config, report)
  if (checkDataDir(config, report)) await checkDisk(config, report)
  await checkCaptions(config, report)
  await checkBucket(config, report)
  await checkBackups(config, report)
  // An embedded server that cannot be reached is reported as not running.
  const url = config.databaseUrl ?? (await findEmbedded(config.dataDir).catch(() => undefined))
  const isRunning = await checkPort(config, report)
  await checkLive(config, report, { isRunning, now: new Date() })
  if (url) {
    await checkPostgresql(config, url, report)
    if (isRunning) await checkWorkersOf(url, report)
  } else if (isRunning)
    report(
      'database.fails',
      'bad',
      'The embedded database does not respond. Read its log, DATA_DIR/postgres/postgres.log.',
    )
  else
    report(
      'database.stopped',
      'note',
      'The embedded database is not running. It starts with the site (`npm start`).',
    )
  return findings
}

function checkNode(report: Report): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= oldestNode) report('node.works', 'good', `Node ${process.version}`)
  else report('node.old', 'bad', `Node ${process.version} is too old. Install ${oldestNode} or later.`)
}

function readSettings(report: Report): Config | undefined {
  try {
    const config = readConfig()
    checkSettings(config, report)
    checkUser(report)
    checkMail(config, report)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    report('settings.invalid', 'bad', error.message)
    return undefined
  }
}

/** Whether the directory exists and can be written to. */
function checkDataDir({ dataDir }: Config, report: Report): boolean {
  try {
    const probe = mkdtempSync(path.join(dataDir, '.doctor-'))
    writeFileSync(path.join(probe, 'file'), 'x', { flush: true })
    rmSync(probe, { recursive: true })
    report('storage.works', 'good', `${dataDir} can be written to`)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'ENOENT')
      report('storage.absent', 'note', `${dataDir} does not exist yet. The first start creates it.`)
    else
      report(
        'storage.fails',
        'bad',
        `${dataDir} cannot be written to (${code}). Give this user the right, or set DATA_DIR.`,
      )
    return false
  }
  if ((statSync(dataDir).mode & 0o007) !== 0)
    report(
      'storage.open',
      'note',
      `${dataDir} can be read by every user of this machine. Run chmod 750 on it.`,
    )
  return true
}

/** Checks the workers of a running site. A database that fails is reported already. */
async function checkWorkersOf(url: string, report: Report): Promise<void> {
  const read = (found: Report) =>
    withDb(url, (db: Db) => checkWorkers(db, new Date(), found), { query_timeout: workersMs })
  try {
    if ((await read(() => undefined)).length === 0) await delay(firstHeartbeatMs)
    await read(report)
  } catch {
    // also the case before the migration
    report('workers.unknown', 'note', 'It is not known whether a worker runs.')
  }
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
      report('port.ready', 'good', `The site runs on port ${port} and is ready`)
    else if (text.includes('ready'))
      report('port.notReady', 'bad', `The site runs on port ${port} and is not ready: ${text}`)
    else report('port.taken', 'bad', `Another program uses port ${port}. Stop it, or set PORT.`)
    return text.includes('ready')
  }
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
  if (isFree) report('port.free', 'note', `The site does not run here; port ${port} is free`)
  else
    report(
      'port.fails',
      'bad',
      `Port ${port} on ${host} cannot be opened, and Kinora does not run there. Set PORT or HOST.`,
    )
  return false
}
