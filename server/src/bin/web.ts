import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../context/config.ts'
import { createContext } from '../app/create-context.ts'
import { buildServer, createWebContext } from '../http/server.ts'
import { serveMonitoring } from '../http/serve-monitoring.ts'
import { sandboxFor } from '@kinora/platform/sandbox/sandbox.ts'
import { onStop, readArguments, requireDatabaseUrl, runProcess, startProcessTracing } from '../app/process.ts'

/** Serves the API, the pages and media over HTTP. Any number of these processes may run. */
async function web(): Promise<void> {
  const config = readConfig()
  const stopTracing = await startProcessTracing('kinora-web', config)
  const services = await createContext(config, requireDatabaseUrl(config), 'web')
  const context = createWebContext(services)
  const app = await buildServer(context)
  let monitoring: Server | undefined

  onStop(async () => {
    context.ready.stop()
    await delay(config.stopGraceSeconds * 1000)
    await app.close()
    await services.close()
    await stopTracing()
    monitoring?.close()
  })

  const { sharesPort, metricsPort } = readArguments()
  // Fastify passes `reusePort` on to Node, but its type lacks it.
  const address = { host: config.host, port: config.port, reusePort: sharesPort }
  await app.listen(address)
  if (metricsPort !== undefined) monitoring = await serveMonitoring(context, metricsPort)
  context.log.info({ host: config.host, port: config.port }, 'web started')
  await sandboxFor(config.ffprobePath)
}

await runProcess(web)
