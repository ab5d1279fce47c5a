import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runInProcess } from '../testing/fixtures/run-in-process.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

test('doctor finds a site that listens on an IPv6 address', async ({ skip }) => {
  const site = createServer((_, response) => response.end('{"status":"ready"}')).listen(0, '::1')
  onTestFinished(() => void site.close())
  const hasIpv6 = await once(site, 'listening').then(
    () => true,
    () => false,
  )
  if (!hasIpv6) return skip('this machine has no IPv6')
  const { port } = site.address() as AddressInfo
  const env = { DATA_DIR: temporaryDirectory(), HOST: '::1', PORT: String(port) }
  const { json } = await runInProcess(['doctor', '--json'], env)
  expect(json.findings).toContainEqual({
    subject: 'port',
    code: 'port.ready',
    state: 'good',
    message: `The site runs on port ${port} and is ready`,
  })
})

test.each([
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/kinora' },
    'database',
    /kinora at 127\.0\.0\.1:9 cannot be reached/,
  ],
  [{ FFMPEG_PATH: '/nowhere/ffmpeg' }, 'ffmpeg', /\/nowhere\/ffmpeg cannot be run/],
  [{ PORT: 'many' }, 'settings', /PORT has a bad value/],
  [{ DATA_DIR: '/proc/kinora' }, 'storage', /\/proc\/kinora/],
])('doctor with %o reports the problem', async (env, subject, message) => {
  const found = await runInProcess(['doctor', '--json'], {
    DATA_DIR: temporaryDirectory(),
    PORT: '0',
    ...env,
  })
  const bad = found.json.findings.filter((one: { state: string }) => one.state !== 'good')
  expect(bad).toEqual(
    expect.arrayContaining([expect.objectContaining({ subject, message: expect.stringMatching(message) })]),
  )
})
