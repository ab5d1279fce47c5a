import type { Server } from 'node:http'
import { readConfig } from '../context/config.ts'
import { createContext } from '../app/create-context.ts'
import { startHeartbeat } from '../features/operations/health/actions/workers.ts'
import { measureNewSite } from '../features/operations/storage/actions.ts'
import type { Context } from '../context/context.ts'
import { serveMonitoring } from '../http/serve-monitoring.ts'
import { jobsOf } from '../app/jobs.ts'
import { encodesAv1 } from '@kinora/media/encode/encode.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { sandboxFor } from '@kinora/platform/sandbox/sandbox.ts'
import { sandboxAdvice, testSandbox } from '@kinora/platform/sandbox/self-test.ts'
import { onStop, readArguments, requireDatabaseUrl, runProcess, startProcessTracing } from '../app/process.ts'

/** Runs jobs: segments, captions, storyboards, clean-up. Any number of these processes may run. */
async function worker(): Promise<void> {
  const config = readConfig()
  const stopTracing = await startProcessTracing('kinora-worker', config)
  const context = await createContext(config, requireDatabaseUrl(config), 'worker')
  let monitoring: Server | undefined
  let stopHeartbeat: (() => Promise<void>) | undefined

  onStop(async () => {
    context.ready.stop()
    await stopHeartbeat?.()
    await context.close()
    await stopTracing()
    monitoring?.close()
  })

  stopHeartbeat = startHeartbeat(context)
  await context.jobs.work(jobsOf(context.config), context)
  context.log.info('worker started')
  measureNewSite(context).catch((err: unknown) => context.log.warn({ err }, 'storage not measured'))
  reportSandbox(context).catch((err: unknown) => context.log.warn({ err }, 'sandbox test failed'))
  reportAv1(context).catch((err: unknown) => context.log.warn({ err }, 'AV1 test failed'))
  const port = readArguments().metricsPort ?? config.metricsPort
  if (port !== undefined) monitoring = await serveMonitoring(context, port)
}

/** Tests the sandbox before the first upload needs it, and logs what it prevents. Nothing waits for the result. */
async function reportSandbox({ config, log }: Context): Promise<void> {
  const sandbox = await sandboxFor(config.ffmpegPath)
  const { prevented, open } = await testSandbox(sandbox)
  const advice = sandboxAdvice(sandbox)
  const details = { sandbox: sandbox.name, prevented, open, ...(advice === undefined ? {} : { advice }) }
  if (advice === undefined && open.length === 0) log.info(details, 'sandbox ready')
  else log.warn(details, open.length === 0 ? 'sandbox ready, but see the advice' : 'sandbox weak')
}

/** Logs whether this worker can encode AV1, where it is turned on. Nothing waits for the result. */
async function reportAv1({ config, log }: Context): Promise<void> {
  if (!config.av1) return
  if (await encodesAv1(toolsOf(config))) log.info('AV1 ready')
  else log.warn({ ffmpeg: config.ffmpegPath }, 'no AV1: this ffmpeg has no working libsvtav1')
}

await runProcess(worker)
