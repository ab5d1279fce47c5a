import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dayMs } from '@kinora/platform/durations.ts'
import { lockDataDir } from '@kinora/platform/files/data-dir.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { expect, onTestFinished, test } from 'vitest'
import { collectFindings } from './finding.ts'
import { checkLive } from './live.ts'

const run = promisify(execFile)

/** A certificate for thirty days, with its key. */
async function createCertificate() {
  const directory = temporaryDirectory()
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost'
  await run('openssl', ['req', ...options.split(' '), '-keyout', key, '-out', certificate])
  return { rtmpsPrivateKey: key, rtmpsCertificate: certificate }
}

async function codesOf(
  config: Partial<Parameters<typeof checkLive>[0]>,
  { isRunning = true, days = 0 } = {},
): Promise<string[]> {
  const { findings, report } = collectFindings()
  const now = new Date(Date.now() + days * dayMs)
  const defaults = {
    live: true,
    rtmpHost: '127.0.0.1',
    rtmpPort: await findQuietPort(),
    rtmpsPort: undefined,
    rtmpsCertificate: undefined,
    rtmpsPrivateKey: undefined,
    dataDir: temporaryDirectory(),
  }
  await checkLive({ ...defaults, ...config }, report, { isRunning, now })
  return findings.map(({ code }) => code)
}

test('reports whether encoders can connect, while the site runs', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const rtmpPort = typeof address === 'object' && address ? address.port : 0
  expect(await codesOf({ rtmpPort })).toEqual(['live.listens'])
  const dataDir = temporaryDirectory()
  const lock = lockDataDir(dataDir)
  onTestFinished(() => lock?.release())
  expect(await codesOf({ dataDir })).toEqual(['live.closed'])
  // another machine may have the ingest process
  expect(await codesOf({})).toEqual(['live.elsewhere'])
  expect(await codesOf({}, { isRunning: false })).toEqual([])
  expect(await codesOf({ live: false })).toEqual([])
})

test('reports certificates that expire, do not fit or cannot be read', async () => {
  const files = { ...(await createCertificate()), rtmpsPort: 443 }
  const other = await createCertificate()
  const later = (config: Partial<Parameters<typeof checkLive>[0]>, days = 0) =>
    codesOf({ ...files, ...config }, { isRunning: false, days })
  expect(await later({})).toEqual(['live.certificate'])
  expect(await later({}, 20)).toEqual(['live.expires'])
  expect(await later({}, 31)).toEqual(['live.expired'])
  expect(await later({ rtmpsPrivateKey: other.rtmpsPrivateKey })).toEqual(['live.key'])
  expect(await later({ rtmpsCertificate: '/nowhere/certificate.pem' })).toEqual(['live.files'])
})
