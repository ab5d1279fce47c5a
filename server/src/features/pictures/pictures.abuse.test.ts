import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { drawJpegOfScans, drawPng, packedText } from '@kinora/media/testing/hostile-pictures.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { drawPicture, registrationForm, signUp } from '../../testing/fixtures/test-users.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { TRUST_PROXY: 'true' } })
})
afterAll(() => site.close())

const register = async (avatar: Blob) =>
  site.client().post('/api/v1/users/register', await registrationForm({ avatar }))

const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])

/** Peak memory of this process and its picture decoders, in MB. */
async function peakMegabytes(): Promise<number> {
  const decoders = listProcesses().filter(
    ({ parent, args }) => parent === process.pid && args.includes('picture-decoder'),
  )
  const pids = [process.pid, ...decoders.map(({ pid }) => pid)]
  const peaks = pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  })
  return (await Promise.all(peaks)).reduce((sum, peak) => sum + peak, 0)
}

test.each(['zTXt', 'iTXt', 'iCCP'] as const)(
  'decodes a PNG with bombs in its %s chunks at the cost of a small one',
  async (type) => {
    await register(await drawPicture())
    const before = await peakMegabytes()
    const chunk = packedText(type, 40)
    const bomb = drawPng(
      64,
      64,
      Array.from({ length: attackSize({ short: 60, full: 500 }) }, () => chunk),
    )
    const begun = performance.now()
    expect((await register(blobOf(bomb))).status).toBe(201)
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect((await peakMegabytes()) - before).toBeLessThan(300)
  },
)

test('refuses a JPEG of two thousand scans while others register', async () => {
  const bomb = blobOf(await drawJpegOfScans(6300, 2000))
  const attack = Promise.all(Array.from({ length: attackSize({ short: 4, full: 50 }) }, () => register(bomb)))
  await delay(100)
  const begun = performance.now()
  expect((await register(await drawPicture())).status).toBe(201)
  expect(performance.now() - begun).toBeLessThan(20_000)
  for (const { status, body } of await attack)
    expect([status, body.message]).toEqual([400, expect.stringContaining('too many scans')])
})

test('refuses an AVIF that takes more memory than a decoder has, and says so', async () => {
  const size = { width: 8000, height: 4900 }
  const avif = await sharp({ create: { ...size, channels: 3, background: 'tomato' } })
    .avif({ effort: 0 })
    .toBuffer()
  const { status, body } = await register(blobOf(avif))
  expect([status, body.message]).toEqual([400, expect.stringContaining('too much memory')])
})

test('an address with slow pictures does not hold up another one', async () => {
  const slow = blobOf(await drawJpegOfScans(6300, 100))
  const attacker = await signUp(site)
  const form = new FormData()
  form.set('avatar', slow, 'slow.jpg')
  const served = new AbortController()
  const attack = Array.from({ length: attackSize({ short: 4, full: 20 }) }, async () => {
    while (!served.signal.aborted) await attacker.client.patch('/api/v1/users/updateavatar', form)
  })
  await vi.waitUntil(async () => (await decoderNiceness()).length > 0, { timeout: 20_000 })
  const response = await site.client().fetch('/api/v1/users/register', {
    method: 'POST',
    body: await registrationForm(),
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  served.abort()
  expect(response.status).toBe(201)
  await Promise.all(attack)
})

async function decoderNiceness(): Promise<number[]> {
  const decoders = listProcesses().filter(
    ({ parent, args }) => parent === process.pid && args.includes('picture-decoder'),
  )
  const stats = decoders.map(({ pid }) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  return (await Promise.all(stats)).map((stat) => Number(stat.split(') ')[1]?.split(' ')[16]))
}

test('pictures of registrations have lower priority than those of accounts', async () => {
  const avatar = blobOf(await drawJpegOfScans(6300, 100))
  const { client } = await signUp(site)
  const form = new FormData()
  form.set('avatar', await drawPicture(), 'small.png')
  let done = 0
  const attack = Array.from({ length: 6 }, async (_, at) => {
    const headers = { 'x-forwarded-for': `203.0.113.${20 + at}` }
    const body = await registrationForm({ avatar })
    await site.client().fetch('/api/v1/users/register', { method: 'POST', body, headers })
    done += 1
  })
  const own = getPriority()
  await vi.waitUntil(async () => (await decoderNiceness()).filter((each) => each > own).length === 2, {
    timeout: 20_000,
  })
  expect((await client.patch('/api/v1/users/updateavatar', form)).status).toBe(200)
  expect(done).toBeLessThanOrEqual(2)
  // a slow picture, so that its decoder is seen at work: decoders may end after a picture
  form.set('avatar', avatar, 'slow.jpg')
  const update = client.patch('/api/v1/users/updateavatar', form)
  await vi.waitUntil(async () => (await decoderNiceness()).includes(own), { timeout: 20_000 })
  await Promise.all([update, ...attack])
})
