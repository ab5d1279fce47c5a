import { enableCompileCache } from 'node:module'
import { extname, join } from 'node:path'
import { ConfigError, findMisspelledSettings, readConfig, readSystemdWatchdogMs } from '../context/config.ts'
import { sendHeartbeats } from '@kinora/platform/heartbeat.ts'
import { createLog } from '@kinora/platform/log.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { prepareDataDir } from '@kinora/platform/files/data-dir.ts'
import type { Site } from '../supervisor/supervise.ts'

/** Runs a whole site: keeps a database, web processes and workers running. */
async function start(): Promise<void> {
  sendHeartbeats(readSystemdWatchdogMs())
  const config = readConfig()
  for (const { given, meant } of findMisspelledSettings())
    print(`${given} is not a setting and is ignored. Did you mean ${meant}?`)
  prepareDataDir(config.dataDir)
  // Compiled code is kept between starts: about half of a start is compiling.
  const cache = process.env.NODE_COMPILE_CACHE ?? join(config.dataDir, 'cache/node')
  enableCompileCache(cache)
  const { supervise } = await import('../supervisor/supervise.ts')

  const log = createLog(config.logLevel, 'supervisor')
  const site = supervise(config, {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    log,
    print,
    programFile: (name) => join(import.meta.dirname, `${name}${extname(import.meta.filename)}`),
  })
  const stop = stopper(site)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
  onParentDeath(() => stop('npm is gone'))
  const notice = setTimeout(() => print('Starting ...'), 1000)
  try {
    const url = await site.ready
    print(`Kinora is ready at ${url}`)
    if (site.setupToken !== undefined)
      print(`Set it up, once: ${(config.publicUrl ?? url).replace(/\/$/, '')}/setup#${site.setupToken}`)
  } catch (error) {
    await site.stop()
    throw error
  } finally {
    clearTimeout(notice)
  }
}

/** The first call stops in order, a later one kills. npm repeats the terminal's Ctrl-C within 500 ms, which is ignored. */
function stopper(site: Site): (reason: string) => void {
  let firstAt: number | undefined
  return (reason) => {
    if (firstAt === undefined) {
      firstAt = Date.now()
      print(`Stopping (${reason}) ...`)
      site.stop().then(leave, fail)
    } else if (Date.now() - firstAt > 500) {
      print('Stopping immediately.')
      site.kill()
      process.exit(1)
    }
  }
}

/** npm forwards signals, but a killed npm sends none: without this check the site would run on. */
function onParentDeath(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500)
  timer.unref()
}

function print(sentence: string): void {
  console.log(sentence)
}

function leave(): void {
  print('Stopped.')
  process.exit(0)
}

function fail(error: unknown): void {
  const isExpected = error instanceof StartupError || error instanceof ConfigError
  console.error(isExpected ? `Kinora cannot start. ${error.message}` : error)
  process.exit(1)
}

start().catch(fail)
