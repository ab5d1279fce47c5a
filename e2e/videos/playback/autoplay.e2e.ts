import { randomUUID } from 'node:crypto'
import { encodeLongClip, publish } from '../../fixtures/clips.ts'
import { publishLongClip, untilPlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

test('autoplay starts a video once and decodes video and audio', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.addInitScript(() => {
    const starts: number[] = []
    Object.assign(globalThis, { starts })
    addEventListener('play', () => starts.push(performance.now()), true)
  })
  await page.goto(`/video/${id}`)
  await untilPlaying(page, 1)
  const player = page.getByRole('region', { name: 'Video player' })
  expect(await player.locator('video').count()).toBe(1)
  expect(await player.locator('video[autoplay][playsinline]').count()).toBe(1)
  expect(
    await page.evaluate(() => (globalThis as unknown as { starts: number[] }).starts.length),
  ).toBeLessThan(2)
  const decoded = () =>
    player.locator('video').evaluate((element) => {
      const video = element as HTMLVideoElement & { webkitAudioDecodedByteCount: number }
      const { totalVideoFrames } = video.getVideoPlaybackQuality()
      return totalVideoFrames > 10 && video.webkitAudioDecodedByteCount > 0
    })
  await expect.poll(decoded).toBe(true)
})

test('a slow connection starts with a rendition within its bandwidth, and a faster one raises the quality', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  // 2 Mbit/s, twice the bandwidth of the emulated connection.
  const bitrate = ['-b:v', '2M', '-minrate', '2M', '-maxrate', '2M', '-bufsize', '1M']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', ...bitrate, '-pix_fmt', 'yuv420p', '-g', '24']
  const buffer = await encodeLongClip('mp4', [...video, '-c:a', 'aac'])
  const file = { name: 'video.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, randomUUID(), { video: file })

  const visitor = await newVisitor()
  const network = await visitor.context().newCDPSession(visitor)
  const bytesPerSecond = 1e6 / 8
  const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond }
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 100, ...throughput })

  const requested: string[] = []
  const fonts: string[] = []
  visitor.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
    const [, rendition] = /\/(source|\d+)\/\d+\.m4s$/.exec(new URL(request.url()).pathname) ?? []
    if (rendition) requested.push(rendition)
  })

  await visitor.goto(`/video/${id}`, { waitUntil: 'commit' })
  await untilPlaying(visitor)
  expect(requested).toContain('144')
  expect(requested).not.toContain('source')
  expect(fonts).toEqual([])

  const slowSegments = requested.length
  const fast = { downloadThroughput: 20e6 / 8, uploadThroughput: 20e6 / 8 }
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 20, ...fast })
  const raisedAfter = () => requested.slice(slowSegments).indexOf('source')
  await expect.poll(raisedAfter).toBeGreaterThanOrEqual(0)
  expect(raisedAfter()).toBeLessThanOrEqual(3)
})

test('a reload starts with the rendition that the measured bandwidth allows @nightly', async ({
  page,
  newVisitor,
}) => {
  const id = await publishLongClip(page)
  const visitor = await newVisitor()
  await visitor.goto(`/video/${id}`)
  await untilPlaying(visitor, 1)
  const firstSegment = visitor.waitForRequest(/\/\w+\/0\.m4s$/)
  await visitor.reload()
  expect((await firstSegment).url()).toContain('/source/')
})

test('a play button appears when the browser blocks autoplay', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype
    const refuse = () => Promise.reject(new DOMException('Autoplay is blocked', 'NotAllowedError'))
    HTMLMediaElement.prototype.play = refuse
    addEventListener('pointerdown', () => (HTMLMediaElement.prototype.play = play), { capture: true })
  })
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'Play video' }).click()
  await untilPlaying(page)
  expect(await videoState(page)).toMatchObject({ muted: false })
  await page.getByRole('button', { name: 'Play video' }).waitFor({ state: 'detached' })
})

test('an embedded player starts on a click and counts the view then', async ({ page }) => {
  const id = await publishLongClip(page)
  const views: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') views.push(new URL(request.url()).pathname)
  })
  await page.goto(`/embed/${id}`)
  const playButton = page.getByRole('button', { name: 'Play video' })
  await playButton.waitFor()
  expect(views).toEqual([])
  await playButton.click()
  await untilPlaying(page, 0.5)
  await expect.poll(() => views).toEqual([`/api/v1/video/${id}`])
})

test('an embedded player shows the start time before playback, and keys seek from it @nightly', async ({
  page,
}) => {
  const id = await publishLongClip(page)
  await page.goto(`/embed/${id}?t=12`)
  const playButton = page.getByRole('button', { name: 'Play video' })
  await playButton.waitFor()
  const seek = page.getByRole('slider', { name: 'Seek' })
  await expect(seek).toHaveAttribute('aria-valuenow', '12')
  await page.keyboard.press('ArrowRight')
  await expect(seek).toHaveAttribute('aria-valuenow', '17')
  await playButton.click()
  await untilPlaying(page, 17)
})
