import { basename, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, ConfigError, readSystemdWatchdogMs } from '../context/config.ts'
import { PRIVATE_UMASK } from '@kinora/platform/files/data-dir.ts'
import { createLog } from '@kinora/platform/log.ts'
import { sendHeartbeats, traceOnInterrupt } from '@kinora/platform/heartbeat.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { startTracing } from '@kinora/platform/tracing/tracing.ts'

/** Time that a process has to close after its parent was killed. */
const orphanDeadlineMs = 5000

/**
 * Runs the main function of a process. Expected failures print their message alone; every failure exits with 1. So does an
 * exception or rejection that nothing handles, after a line in the log: the state of the process is unknown then.
 */
export async function runProcess(main: () => Promise<void>): Promise<void> {
  process.umask(PRIVATE_UMASK)
  const role = basename(process.argv[1] ?? '', extname(process.argv[1] ?? ''))
  process.on('uncaughtException', (err) => {
    createLog('fatal', role).fatal({ err }, 'process ended: uncaught exception')
    process.exit(1)
  })
  sendHeartbeats(readSystemdWatchdogMs())
  try {
    await main()
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof StartupError
    console.error(isExpected ? error.message : error)
    process.exit(1)
  }
}

/**
 * Starts tracing if an endpoint is configured, and returns the function that stops it. Call it before connecting to the
 * database.
 */
export function startProcessTracing(serviceName: string, config: Config): Promise<() => Promise<void>> {
  const { otelExporterOtlpEndpoint: endpoint, otelTracesSamplerArg: ratio } = config
  return startTracing({ endpoint, ratio, serviceName })
}

/** DATABASE_URL. Throws a `ConfigError` where it is not set. */
export function requireDatabaseUrl({ databaseUrl }: Config): string {
  if (databaseUrl) return databaseUrl
  throw new ConfigError('Set DATABASE_URL for this process, or run `npm start`, which brings a database.')
}

/** Command-line arguments with which the supervisor distinguishes processes of the same program. */
export function readArguments(): { sharesPort: boolean; metricsPort: number | undefined } {
  const { values } = parseArgs({
    options: { 'share-port': { type: 'boolean', default: false }, 'metrics-port': { type: 'string' } },
  })
  const port = values['metrics-port']
  return { sharesPort: values['share-port'], metricsPort: port === undefined ? undefined : Number(port) }
}

/**
 * Calls `close` once, on SIGTERM, SIGINT (unless somebody watches this process), or when the parent process has ended. Then
 * the process exits.
 */
export function onStop(close: () => Promise<void>): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    close().then(
      // the channel of an orphan is already closed, and closing it again throws
      () => (process.connected ? process.disconnect() : undefined),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  if (process.send || readSystemdWatchdogMs() !== undefined) traceOnInterrupt()
  else process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (!process.send) return

  const stopOrphaned = () => {
    // the parent's database ends with it, so closing connections may hang
    setTimeout(() => process.exit(1), orphanDeadlineMs).unref()
    stop()
  }
  process.on('disconnect', stopOrphaned)
  if (!process.connected) stopOrphaned()
}
