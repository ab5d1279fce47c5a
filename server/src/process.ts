import { parseArgs } from 'node:util'
import { type Config, ConfigError } from './config.ts'
import { PRIVATE_UMASK } from './platform/files/data-dir.ts'
import { StartupError } from './platform/startup-error.ts'
import { startTracing } from './platform/tracing/tracing.ts'

/** How long a process whose parent was killed may take to close. */
const orphanDeadlineMs = 5000

/** Runs the main function of a process. Expected failures print their message alone; every failure exits with 1. */
export async function runProcess(main: () => Promise<void>): Promise<void> {
  process.umask(PRIVATE_UMASK)
  try {
    await main()
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof StartupError
    console.error(isExpected ? error.message : error)
    process.exit(1)
  }
}

/**
 * Starts tracing where an endpoint is configured, and returns what stops it. Must run before anything connects: libraries
 * are instrumented once.
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

/** The command-line arguments by which the supervisor tells processes of the same program apart. */
export function readArguments(): { sharesPort: boolean; metricsPort: number | undefined } {
  const { values } = parseArgs({
    options: { 'share-port': { type: 'boolean', default: false }, 'metrics-port': { type: 'string' } },
  })
  const port = values['metrics-port']
  return { sharesPort: values['share-port'], metricsPort: port === undefined ? undefined : Number(port) }
}

/** Calls `close` once, on SIGINT, SIGTERM, or when the parent process is gone. Nothing is left to do afterwards. */
export function onStop(close: () => Promise<void>): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
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
    // The parent's database goes with it, and closing may wait for that for ever.
    setTimeout(() => process.exit(1), orphanDeadlineMs).unref()
    stop()
  }
  process.on('disconnect', stopOrphaned)
  if (!process.connected) stopOrphaned()
}
