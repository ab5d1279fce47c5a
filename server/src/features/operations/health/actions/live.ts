import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dayMs } from '@kinora/platform/durations.ts'
import { describeError } from '@kinora/platform/errors.ts'
import { hasOwner } from '@kinora/platform/files/data-dir.ts'
import type { Config } from '../../../../context/config.ts'
import type { Report } from './finding.ts'

type LiveConfig = Pick<
  Config,
  'live' | 'rtmpHost' | 'rtmpPort' | 'rtmpsPort' | 'rtmpsCertificate' | 'rtmpsPrivateKey' | 'dataDir'
>

/** Time to renew a certificate. */
const EXPIRES_SOON_MS = 14 * dayMs
const CONNECT_MS = 3000

/** Checks what encoders need: ports that listen while the site runs, and the files of the certificate. */
export async function checkLive(
  config: LiveConfig,
  report: Report,
  { isRunning, now }: { isRunning: boolean; now: Date },
): Promise<void> {
  if (!config.live) return
  const { rtmpPort, rtmpsPort } = config
  const ports = [rtmpPort, ...(rtmpsPort === undefined ? [] : [rtmpsPort])]
  if (isRunning) for (const port of ports) await checkPort(config, port, report)
  await checkCertificate(config, report, now)
}

async function checkPort({ rtmpHost, dataDir }: LiveConfig, port: number, report: Report): Promise<void> {
  if (await isListening(rtmpHost, port))
    report('live.listens', 'good', `Encoders can connect to port ${port}`)
  // `npm start` has an ingest process; of processes started one by one, another machine may have it
  else if (!hasOwner(dataDir))
    report(
      'live.elsewhere',
      'note',
      `Nothing listens on port ${port} for encoders here. Where the ingest process runs on this machine, read its log.`,
    )
  else
    report(
      'live.closed',
      'bad',
      `Nothing listens on port ${port} for encoders. Read the log of the ingest process; another program may use the port: set RTMP_PORT or RTMPS_PORT.`,
    )
}

function isListening(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // nobody can connect to an address that stands for all interfaces
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const socket = connect({ host: reachable, port, timeout: CONNECT_MS })
  socket.once('connect', () => resolve(true))
  for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false))
  return promise.finally(() => socket.destroy())
}

async function checkCertificate(
  { rtmpsPort, rtmpsCertificate, rtmpsPrivateKey }: LiveConfig,
  report: Report,
  now: Date,
): Promise<void> {
  if (rtmpsPort === undefined || rtmpsCertificate === undefined || rtmpsPrivateKey === undefined) return
  try {
    const certificate = new X509Certificate(await readFile(rtmpsCertificate))
    const key = createPrivateKey(await readFile(rtmpsPrivateKey))
    const leftMs = new Date(certificate.validTo).getTime() - now.getTime()
    if (!certificate.checkPrivateKey(key))
      report('live.key', 'bad', 'RTMPS_PRIVATE_KEY does not belong to RTMPS_CERTIFICATE.')
    else if (leftMs <= 0)
      report(
        'live.expired',
        'bad',
        `RTMPS_CERTIFICATE expired on ${certificate.validTo}. Renew it, then restart.`,
      )
    else if (leftMs < EXPIRES_SOON_MS)
      report(
        'live.expires',
        'note',
        `RTMPS_CERTIFICATE expires on ${certificate.validTo}. Restart after it was renewed.`,
      )
    else report('live.certificate', 'good', `The certificate for RTMPS is valid until ${certificate.validTo}`)
  } catch (error) {
    report('live.files', 'bad', `The certificate for RTMPS cannot be read: ${describeError(error)}`)
  }
}
