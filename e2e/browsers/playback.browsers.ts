import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { TestClient } from '../../server/src/testing/fixtures/test-client.ts'
import { drawPicture, registrationForm, testPassword } from '../../server/src/testing/fixtures/test-users.ts'
import { encodeLongClip } from '../fixtures/clips.ts'
import { startFirefox } from './firefox.ts'
import type { RemoteBrowser } from './remote-browser.ts'
import { startWebKit } from './webkit.ts'

const browsers = { Firefox: startFirefox, WebKit: startWebKit }
const codecs = {
  'H.264': ['mp4', '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 48 -c:a aac'],
  VP9: ['webm', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 48 -c:a libopus'],
  'MPEG-4': ['mp4', '-c:v mpeg4 -q:v 5 -g 48 -c:a aac'],
} as const
/** Duration of each clip. */
const clipSeconds = 30
const patience = { timeout: 30_000, interval: 200 }

const site = inject('siteUrl')
const videoIds = new Map<string, string>()

beforeAll(async () => {
  const uploader = new TestClient(site)
  await uploader.post('/api/v1/users/register', await registrationForm({ username: 'maker' }))
  await uploader.post('/api/v1/users/login', { username: 'maker', password: testPassword })
  for (const [codec, [container, args]] of Object.entries(codecs)) {
    const form = new FormData()
    form.set('title', `A video in ${codec}`)
    form.set('description', 'Half a minute')
    form.set('thumbnail', await drawPicture(320, 180), 'thumbnail.png')
    form.set(
      'video',
      new Blob([new Uint8Array(await encodeLongClip(container, args.split(' ')))]),
      `video.${container}`,
    )
    const { status, body } = await uploader.post('/api/v1/video/upload', form)
    expect(status).toBe(201)
    videoIds.set(codec, (body as { data: { _id: string } }).data._id)
  }
})

interface PlaybackSample {
  at: number
  frames: number
  height: number
  isPaused: boolean
  isSeeking: boolean
  hasEnded: boolean
  error: string | null
}

const sampleScript = `(() => {
  const video = document.querySelector('video')
  return video && {
    at: video.currentTime, frames: video.getVideoPlaybackQuality().totalVideoFrames, height: video.videoHeight,
    isPaused: video.paused, isSeeking: video.seeking, hasEnded: video.ended, error: video.error && video.error.message,
  }
})()`

/** Script that clicks the element with that accessible name; evaluates to whether there is one. */
const press = (selector: string, name: RegExp) => `(() => {
  const found = [...document.querySelectorAll('${selector}')]
    .find((one) => ${name}.test(one.getAttribute('aria-label') ?? one.textContent))
  found?.click()
  return found !== undefined
})()`

describe.each(Object.entries(browsers))('%s', (_, start) => {
  let browser: RemoteBrowser
  beforeAll(async () => {
    browser = await start()
  })
  afterAll(() => browser.close())

  // The script returns this shape.
  const samplePlayback = async () => (await browser.evaluate(sampleScript)) as PlaybackSample
  const untilPlayingFrom = (seconds: number) =>
    expect
      .poll(async () => {
        const { at, isSeeking, error } = await samplePlayback()
        return error ?? (!isSeeking && at > seconds && at < seconds + 8)
      }, patience)
      .toBe(true)

  test.each(Object.keys(codecs))('%s plays, seeks, changes its quality and ends', async (codec) => {
    await browser.open(`${site}/video/${videoIds.get(codec)}`)
    await expect.poll(async () => (await samplePlayback())?.at ?? 0, patience).toBeGreaterThan(0.5)
    await expect.poll(async () => (await samplePlayback()).frames, patience).toBeGreaterThan(5)
    expect((await samplePlayback()).isPaused).toBe(false)

    await browser.evaluate(`void (document.querySelector('video').currentTime = 17.3)`)
    await untilPlayingFrom(17.3)

    await expect.poll(() => browser.evaluate(press('[aria-label=Settings]', /^/)), patience).toBe(true)
    await expect.poll(() => browser.evaluate(press('[role=menuitem]', /^Quality/)), patience).toBe(true)
    await expect.poll(() => browser.evaluate(press('[role=menuitemradio]', /^240p/)), patience).toBe(true)
    await expect.poll(async () => (await samplePlayback()).height, patience).toBe(240)
    await untilPlayingFrom(17.3)

    await browser.evaluate(`void (document.querySelector('video').currentTime = 4)`)
    await untilPlayingFrom(4)
    await browser.evaluate(`void (document.querySelector('video').currentTime = ${clipSeconds - 2})`)
    await expect.poll(async () => (await samplePlayback()).hasEnded, patience).toBe(true)
  })

  test('the home page lists the videos', async () => {
    await browser.open(site)
    const titles = `[...document.querySelectorAll('main h2, main h3')].map((one) => one.textContent)`
    await expect
      .poll(() => browser.evaluate(titles), patience)
      .toEqual(expect.arrayContaining(Object.keys(codecs).map((codec) => `A video in ${codec}`)))
  })
})
