import { randomUUID } from 'node:crypto'
import type { Route } from 'playwright-core'
import { encodeLongClip, publish } from '../../fixtures/clips.ts'
import { playsStream, publishLongClip, untilPlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

test('playback waits for a segment that is still being encoded', async ({ page }) => {
  const id = await publishLongClip(page)
  let rejections = 0
  await page.route('**/*.m4s', async (route) => {
    rejections += 1
    if (rejections <= 6) await route.fulfill({ status: 503, headers: { 'retry-after': '1' } })
    else await route.continue()
  })
  await page.goto(`/video/${id}`)
  // Each rejection delays playback by at least one second.
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0, undefined, {
    timeout: 120_000,
  })
  expect(rejections).toBeGreaterThan(6)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('playback survives leaving a rendition whose init segment is still loading @nightly', async ({
  page,
}) => {
  const id = await publishLongClip(page)
  const pending: Route[] = []
  await page.route('**/init.mp4', (route) => {
    if (route.request().url().includes('/source/')) pending.push(route)
    else return route.continue()
  })
  await page.route('**/source/*.m4s', (route) => route.fulfill({ status: 503 }))
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  expect(pending.length).toBeGreaterThan(0)
})

test('audio that is buffered before the video plays as soon as the video arrives @nightly', async ({
  page,
}) => {
  const id = await publishLongClip(page)
  // Once the audio is there, playback must start from events alone.
  await page.addInitScript(() => {
    const start = setInterval
    const running: number[] = []
    const startAndRecord = (...parameters: Parameters<typeof start>) => {
      const started = Number(start(...parameters))
      running.push(started)
      return started
    }
    Object.assign(globalThis, { setInterval: startAndRecord })
    addEventListener('stop-intervals', () => running.forEach((each) => clearInterval(each)))
  })
  const audio = page.waitForResponse(/\/audio-0(-low)?\/0\.m4s$/)
  await page.route(/\/(source|\d+)\/0\.m4s$/, async (route) => {
    await (await audio).finished()
    await page.evaluate(() => dispatchEvent(new Event('stop-intervals')))
    await route.continue()
  })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
})

test('a lost connection shows a status, and playback resumes when it is back', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.route('**/*.m4s', (route) => route.abort('connectionreset'))
  await page.reload()
  const status = page.getByRole('region', { name: 'Video player' }).getByRole('status')
  await status.getByText('Connection lost.').waitFor()
  await page.unroute('**/*.m4s')
  await untilPlaying(page)
  await expect(status).toHaveCount(0)
})

test('a slow connection shows a status, and playback resumes after a time offline @nightly', async ({
  page,
}) => {
  const id = await publishLongClip(page)
  // caches the scripts of the page, and no segment
  await page.goto('/video/none')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const network = await page.context().newCDPSession(page)
  const emulate = (offline: boolean, bitsPerSecond: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline,
      latency: 100,
      downloadThroughput: bitsPerSecond / 8,
      uploadThroughput: bitsPerSecond / 8,
    })
  const status = page.getByRole('region', { name: 'Video player' }).getByRole('status')
  await emulate(false, 100e3)
  await page.goto(`/video/${id}`, { waitUntil: 'commit' })
  await status.getByText('Slow connection.').waitFor()
  await emulate(true, 0)
  await status.getByText(/Connection lost|You are offline/).waitFor()
  await emulate(false, 20e6)
  await untilPlaying(page)
  await expect(status).toHaveCount(0)
})

test('a time offline does not lower the quality @nightly', async ({ page, context }) => {
  const id = await publishLongClip(page)
  const network = await context.newCDPSession(page)
  const limit = (bitsPerSecond: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 20,
      downloadThroughput: bitsPerSecond / 8,
      uploadThroughput: bitsPerSecond / 8,
    })
  // Three requests fail when the quality rises: a segment, its init segment, and the audio beside it.
  const lost: Route[] = []
  const failing = /\/source\/(init\.mp4|\d+\.m4s)$|\/audio-0(-low)?\/[1-9]\d*\.m4s$/
  await page.route(failing, (route) => {
    lost.push(route)
  })
  await limit(400e3)
  const small = page.waitForResponse(/\/\d+\/0\.m4s$/)
  await page.goto(`/video/${id}`, { waitUntil: 'commit' })
  await small
  await limit(20e6)
  await expect.poll(() => lost.length).toBe(3)
  await context.setOffline(true)
  await Promise.all(lost.map((route) => route.abort('internetdisconnected')))
  await page
    .getByRole('region', { name: 'Video player' })
    .getByText(/Connection lost|You are offline/)
    .waitFor()
  await page.unroute(failing)
  const risen = page.waitForResponse(/\/source\/\d+\.m4s$/)
  await context.setOffline(false)
  await risen
})

const shortened = [
  ['than its playlist during playback', 2],
  ['than what has already played', 1],
] as const

for (const [how, last] of shortened)
  test(`a video that turns out shorter ${how} ends there @nightly`, async ({ page }) => {
    const id = await publishLongClip(page)
    // After the first 404, each playlist ends with segment `last`.
    let isTruncated = false
    const loaded = new Set<string>()
    const reloadCacheControls: string[] = []
    await page.route(/\/([3-9]|\d{2,})\.m4s$/, (route) => {
      isTruncated = true
      return route.fulfill({ status: 404 })
    })
    await page.route('**/index.m3u8', async (route) => {
      const request = route.request()
      if (loaded.has(request.url())) reloadCacheControls.push(request.headers()['cache-control'] ?? '')
      loaded.add(request.url())
      const response = await route.fetch()
      const playlist = await response.text()
      const end = playlist.indexOf('#EXTINF', playlist.indexOf(`${last}.m4s`))
      await route.fulfill({
        response,
        body: isTruncated ? `${playlist.slice(0, end)}#EXT-X-ENDLIST\n` : playlist,
      })
    })
    await page.goto(`/video/${id}?t=9`)
    await page.waitForFunction(() => document.querySelector('video')?.ended, undefined, { timeout: 120_000 })
    const { currentTime, source } = await page.locator('video').evaluate((element) => {
      const video = element as HTMLVideoElement
      return { currentTime: video.currentTime, source: video.src }
    })
    expect(Math.abs(currentTime - (last + 1) * 4)).toBeLessThan(0.5)
    // The stream, not the fallback to the source file.
    expect(source).toMatch(/^blob:/)
    expect(new Set(reloadCacheControls)).toEqual(new Set(['no-cache']))
  })

test('seeking into a frozen section of a recording works, and playback continues after it @nightly', async ({
  page,
}) => {
  await signIn(page)
  const frozen = ['-t', '20', '-vf', "select='lt(t\\,3)+gt(t\\,17)'", '-fps_mode', 'vfr', '-c:a', 'aac']
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const buffer = await encodeLongClip('mp4', [...frozen, ...encoding])
  const id = await publish(page, randomUUID(), {
    video: { name: 'frozen.mp4', mimeType: 'video/mp4', buffer },
  })
  await page.goto(`/video/${id}?t=14`)
  // `currentTime` also passes 17.5 when the video has already ended.
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 17.5, undefined, {
    timeout: 120_000,
  })
  // One played range from 14 s on: the frozen section was not skipped.
  const begins = await page.locator('video').evaluate((video) => (video as HTMLVideoElement).played.start(0))
  expect(begins).toBeCloseTo(14, 0)
})

test('a video that is damaged in the middle plays to its end @nightly', async ({ page }) => {
  await signIn(page)
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const buffer = await encodeLongClip('mp4', ['-t', '12', '-g', '12', ...encoding])
  buffer.fill(0xa5, Math.round(buffer.length * 0.4), Math.round(buffer.length * 0.55))
  const video = { name: 'damaged.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, randomUUID(), { video })
  await page.goto(`/video/${id}`)
  await page.waitForFunction(() => document.querySelector('video')?.ended, undefined, { timeout: 120_000 })
  expect((await videoState(page)).currentTime).toBeCloseTo(12, 0)
  expect(await playsStream(page)).toBe(true)
})

test('an unavailable stream shows an error, and Try again plays it', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.route('**/media/{videos,sources}/**', (route) => route.fulfill({ status: 404 }))
  await page.goto(`/video/${id}`)
  const alert = page.getByRole('region', { name: 'Video player' }).getByRole('alert')
  await alert.waitFor()
  await page.unroute('**/media/{videos,sources}/**')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await untilPlaying(page)
  await expect(alert).toHaveCount(0)
})

test('a rejected segment is requested again without reloading the playlists @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  let requests = 0
  await page.route(/\/0\.m4s$/, (route) => {
    requests += 1
    return requests === 1 ? route.fulfill({ status: 503 }) : route.continue()
  })
  const playlists: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.m3u8')) playlists.push(request.url())
  })
  await page.goto(`/video/${id}`, { waitUntil: 'commit' })
  await untilPlaying(page)
  expect(requests).toBeGreaterThan(1)
  expect(new Set(playlists).size).toBe(playlists.length)
})
