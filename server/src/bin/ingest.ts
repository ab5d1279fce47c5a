import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { listenForEncoders, type RtmpServer } from '@kinora/live/rtmp/server.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { createContext } from '../app/create-context.ts'
import { onStop, readArguments, requireDatabaseUrl, runProcess, startProcessTracing } from '../app/process.ts'
import { type Config, readConfig } from '../context/config.ts'
import { LiveIngest } from '../features/live/live-streams/actions/live-ingest.ts'
import { serveMonitoring } from '../http/serve-monitoring.ts'

/** Receives live streams from encoders. One of these processes runs, where `LIVE` is set. */
async function ingest(): Promise<void> {
  const config = readConfig()
  if (!config.live) throw new StartupError('The ingest process needs LIVE=true, as web and worker do.')
  const stopTracing = await startProcessTracing('kinora-ingest', config)
  const context = await createContext(config, requireDatabaseUrl(config), 'ingest')
  const streams = new LiveIngest(context)
  const servers: RtmpServer[] = []
  let monitoring: Server | undefined

  onStop(async () => {
    context.ready.stop()
    // in this order: encoders connect again at once
    await Promise.all(servers.map((server) => server.close()))
    await streams.stop()
    await context.close()
    await stopTracing()
    monitoring?.close()
  })

  await streams.start()
  const metricsPort = readArguments().metricsPort ?? config.metricsPort
  if (metricsPort !== undefined) monitoring = await serveMonitoring(context, metricsPort)
  const { rtmpHost: host, log } = { ...config, ...context }
  const publish = streams.publish.bind(streams)
  servers.push(await listenForEncoders({ host, port: config.rtmpPort }, publish, log))
  const secure = await readCertificate(config)
  if (secure) servers.push(await listenForEncoders({ host, ...secure }, publish, log))
  log.info({ ports: servers.map(({ port }) => port) }, 'waiting for encoders')
}

async function readCertificate({ rtmpsPort, rtmpsCertificate, rtmpsPrivateKey }: Config) {
  if (rtmpsPort === undefined || rtmpsCertificate === undefined || rtmpsPrivateKey === undefined)
    return undefined
  const [cert, key] = await Promise.all([readFile(rtmpsCertificate), readFile(rtmpsPrivateKey)])
  return { port: rtmpsPort, tls: { cert, key } }
}

await runProcess(ingest)
