import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildApp, createContext, jobs } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { fillWithDemo } from './demo/demo.ts'
import { sandboxAdvice, testSandbox } from './media/sandbox/self-test.ts'
import { sandboxFor } from './media/sandbox/sandbox.ts'
import { upgradeDatabase } from './features/backups/actions/upgrade.ts'
import { findEmbedded } from './platform/db/embedded.ts'
import { mayRead, metricsType } from './platform/http/monitoring/serve-metrics.ts'
import { StartupError } from './platform/startup-error.ts'
import { startTracing } from './platform/tracing/tracing.ts'
import { PRIVATE_UMASK } from './platform/files/data-dir.ts'
import { checkDatabase } from './platform/db/external-database.ts'

/** How long a process whose parent was killed may take to close. */
const orphanDeadlineMs = 5000

/** Tries the sandbox before the first upload needs it, and logs what it prevents. Nothing waits for it. */
async function reportSandbox({ config, log }: Context): Promise<void> {
  const sandbox = await sandboxFor(config.ffmpegPath)
  const { held, open } = await testSandbox(sandbox)
  const advice = sandboxAdvice(sandbox)
  const details = { sandbox: sandbox.name, held, open, ...(advice === undefined ? {} : { advice }) }
  if (advice === undefined && open.length === 0) log.info(details, 'sandbox ready')
  else log.warn(details, open.length === 0 ? 'sandbox ready, but see the advice' : 'sandbox weak')
}

/** Before anything connects: what is traced is looked at once. */
function traceAs(serviceName: string, config: Config): Promise<() => Promise<void>> {
  const { otelExporterOtlpEndpoint: endpoint, otelTracesSamplerArg: ratio } = config
  return startTracing({ endpoint, ratio, serviceName })
}

/** Serves HTTP until it is told to stop. */
async function web(): Promise<void> {
  const config = readConfig()
  const stopTracing = await traceAs('kinora-web', config)
  const context = await createContext(config, databaseUrl(config.databaseUrl), 'web')
  const app = await buildApp(context)
  let watch: Server | undefined
  onStop(async () => {
    context.ready.stop()
    await delay(config.stopGraceSeconds * 1000)
    await app.close()
    await context.close()
    await stopTracing()
    watch?.close()
  })
  const { sharesPort, metricsPort } = readArguments()
  // Fastify passes `reusePort` on to Node, but its type lacks it.
  const place = { host: config.host, port: config.port, reusePort: sharesPort }
  await app.listen(place)
  if (metricsPort !== undefined) watch = await serveWatch(context, metricsPort)
  context.log.info({ host: config.host, port: config.port }, 'web started')
  await sandboxFor(config.ffprobePath)
}

/** Takes jobs until it is told to stop. */
async function worker(): Promise<void> {
  const config = readConfig()
  const stopTracing = await traceAs('kinora-worker', config)
  const context = await createContext(config, databaseUrl(config.databaseUrl), 'worker')
  let watch: Server | undefined
  onStop(async () => {
    context.ready.stop()
    await context.close()
    await stopTracing()
    watch?.close()
  })
  await context.jobs.work(jobs, context)
  context.log.info('worker started')
  reportSandbox(context).catch((err: unknown) => context.log.warn({ err }, 'sandbox test failed'))
  const port = readArguments().metricsPort ?? config.metricsPort
  if (port !== undefined) watch = await serveWatch(context, port)
}

/** What the supervisor says to one of several processes of a role. */
function readArguments(): { sharesPort: boolean; metricsPort: number | undefined } {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { 'share-port': { type: 'boolean', default: false }, 'metrics-port': { type: 'string' } },
  })
  const port = values['metrics-port']
  return { sharesPort: values['share-port'], metricsPort: port === undefined ? undefined : Number(port) }
}

/** Health and metrics of this process, for monitoring. */
async function serveWatch({ config, ready, measured }: Context, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.url === '/metrics' && mayRead(request, config.metricsToken)) {
        response.setHeader('content-type', metricsType)
        return measured.metrics.text()
      }
      if (request.url !== '/readyz' && request.url !== '/healthz') response.statusCode = 404
      if (request.url !== '/readyz') return ''
      const { isReady, checks } = await ready.look()
      response.statusCode = isReady ? 200 : 503
      return JSON.stringify({ status: isReady ? 'ready' : 'not ready', checks })
    }
    void answer().then((text) => response.end(text))
  })
  server.listen(port, config.host)
  await once(server, 'listening')
  return server
}

async function migrateOnce(): Promise<void> {
  const config = readConfig()
  const url = databaseUrl(config.databaseUrl)
  await checkDatabase(url, 5000)
  await upgradeDatabase(config, url)
}

/** Fills the site that runs on DATA_DIR, or at DATABASE_URL, with a world to look at. */
async function demo(): Promise<void> {
  const config = readConfig()
  const url = config.databaseUrl ?? (await findEmbedded(config.dataDir))
  if (!url)
    throw new ConfigError(
      `No site runs on ${config.dataDir}: start it first (\`npm start\`), and give \`npm run demo\` the same DATA_DIR.`,
    )
  const context = await createContext({ ...config, logLevel: 'warn' }, url, 'operator')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  try {
    await fillWithDemo(context, tellProgress)
  } finally {
    await context.close()
  }
}

/** Counting lines overwrite each other on a terminal; elsewhere only every twentieth is worth a line. */
function tellProgress(sentence: string): void {
  const count = / (\d+) of (\d+)$/.exec(sentence)
  if (!count) console.log(sentence)
  else if (process.stdout.isTTY)
    process.stdout.write(`\r\x1b[K${sentence}${count[1] === count[2] ? '\n' : ''}`)
  else if (Number(count[1]) % 20 === 0 || count[1] === count[2]) console.log(sentence)
}

function databaseUrl(given: string | undefined): string {
  if (given) return given
  throw new ConfigError('Set DATABASE_URL for this role, or run `npm start`, which brings a database.')
}

/** Stops in order on SIGINT, SIGTERM, or when the parent process is gone; the process then has nothing left to do. */
function onStop(close: () => Promise<void>): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    close().then(
      // An orphan's channel is closed already; closing it again is an error.
      () => (process.connected ? process.disconnect() : undefined),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (!process.send) return
  const stopOrphaned = () => {
    // the parent's database goes with it, and closing may wait for that for ever
    setTimeout(() => process.exit(1), orphanDeadlineMs).unref()
    stop()
  }
  process.on('disconnect', stopOrphaned)
  if (!process.connected) stopOrphaned()
}

const roles: Record<string, () => Promise<void>> = { web, worker, migrate: migrateOnce, demo }

const role = process.argv[2] ?? ''
const run = roles[role]
if (!run) {
  console.error(`Say what to run: ${Object.keys(roles).join(', ')}.`)
  process.exit(2)
}
process.umask(PRIVATE_UMASK)
try {
  await run()
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof StartupError
  console.error(isExpected ? error.message : error)
  process.exit(1)
}
