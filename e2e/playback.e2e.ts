import { randomUUID } from 'node:crypto'
import type { Browser, Page, Route } from 'playwright-core'
import { expect, inject } from 'vitest'
import { encodeLongClip, longClip, publish } from './fixtures/clips.ts'
import { untilApplied } from './fixtures/held-response.ts'
import { test } from './fixtures/test.ts'
import { signIn } from './fixtures/users.ts'

let published: Promise<string> | undefined

/** The film of these journeys, published by somebody at the first call. Whoever asks gets signed in. */
async function publishFilm(page: Page): Promise<string> {
  await signIn(page)
  published ??= longClip().then((video) =>
    publish(page, randomUUID(), { video, description: 'The turn is at 0:20.' }),
  )
  return published
}

/** Waits until the video plays behind a place; answers where it was when that was first seen. */
async function untilPlaying(page: Page, fromSeconds = 0): Promise<number> {
  const seen = await page.waitForFunction((from) => {
    const video = document.querySelector('video')
    return video && !video.paused && !video.seeking && video.currentTime > from && video.currentTime
  }, fromSeconds)
  return Number(await seen.jsonValue())
}

/** Waits until the video plays, and stops it there, so that it does not end while one looks at something else. */
async function pauseOnceItPlays(page: Page): Promise<void> {
  await untilPlaying(page)
  await page.locator('video').evaluate((video) => (video as HTMLVideoElement).pause())
}

const videoState = (page: Page) =>
  page.locator('video').evaluate((element) => {
    const { currentTime, paused, muted, volume, playbackRate, videoHeight } = element as HTMLVideoElement
    return { currentTime, paused, muted, volume, playbackRate, videoHeight }
  })

test('a video starts by itself, once, frame by frame, with sound', async ({ page }) => {
  const id = await publishFilm(page)
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

test('on a slow line the first picture is of a rendition that the line carries', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  // At 2 Mbit/s, twice what the line carries.
  const quality = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-b:v',
    '2M',
    '-minrate',
    '2M',
    '-maxrate',
    '2M',
  ]
  const buffer = await encodeLongClip('mp4', [
    ...quality,
    '-bufsize',
    '1M',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '48',
    '-c:a',
    'aac',
  ])
  const video = { name: 'film.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, randomUUID(), { video })
  const visitor = await newVisitor()
  const network = await visitor.context().newCDPSession(visitor)
  const bytesPerSecond = 1e6 / 8
  const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond }
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 100, ...throughput })
  const asked: string[] = []
  visitor.on('request', (request) => {
    const [, rendition] = /\/(\w+)\/0\.m4s$/.exec(new URL(request.url()).pathname) ?? []
    if (rendition) asked.push(rendition)
  })
  await visitor.goto(`/video/${id}`)
  await untilPlaying(visitor)
  expect(asked).toContain('240')
  expect(asked).not.toContain('source')
})

test('the keys of the player work on the page, and never while typing', async ({ page }) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.keyboard.press('k')
  await expect.poll(async () => (await videoState(page)).paused).toBe(true)
  await page.keyboard.press('5')
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(15, 0)
  await page.keyboard.press('j')
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(5, 0)
  await page.keyboard.press('l')
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(20, 0)
  await page.keyboard.press('m')
  await page.keyboard.press('>')
  await expect.poll(() => videoState(page)).toMatchObject({ muted: true, playbackRate: 1.25 })
  await page.keyboard.press('<')
  await page.keyboard.press('t')
  await page.getByRole('button', { name: 'Theatre mode', pressed: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('kmt 5')
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('kmt 5')
  const box = page.getByRole('textbox', { name: 'Add a comment' })
  await box.fill('')
  await box.pressSequentially('kmt 0')
  expect(await box.inputValue()).toBe('kmt 0')
  const after = await videoState(page)
  expect(after).toMatchObject({ paused: true, muted: true, playbackRate: 1 })
  expect(after.currentTime).toBeCloseTo(20, 0)
  expect(await page.getByRole('button', { name: 'Theatre mode', pressed: true }).count()).toBe(1)
})

test('a pointer meets the picture itself: one click pauses and plays, two fill the screen', async ({
  page,
}) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const picture = page.locator('video')
  await picture.hover()
  await picture.click()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await videoState(page)).paused).toBe(true)
  await picture.click()
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await picture.dblclick()
  await page.getByRole('button', { name: 'Exit full screen' }).waitFor()
})

test('in a low window the picture takes all there is under the bar', async ({ page }) => {
  const id = await publishFilm(page)
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const bar = (await page.getByRole('banner').boundingBox())!
  const player = (await page.getByRole('region', { name: 'Video player' }).boundingBox())!
  expect(player).toEqual({ x: 0, y: bar.height, width: 844, height: 390 - bar.height })
  expect(bar.height).toBeLessThanOrEqual(48)
})

/** A phone in somebody's hand: narrow, and touched. */
async function onPhone(browser: Browser, use: (held: Page) => Promise<void>): Promise<void> {
  const phone = await browser.newContext({
    baseURL: inject('siteUrl'),
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  try {
    await use(await phone.newPage())
  } finally {
    await phone.close()
  }
}

test('the seek bar is high enough for a finger', async ({ browser, page }) => {
  const id = await publishFilm(page)
  await onPhone(browser, async (held) => {
    await held.goto(`/video/${id}`)
    await untilPlaying(held)
    const seek = (await held.getByRole('slider', { name: 'Seek' }).boundingBox())!
    const play = (await held.getByRole('button', { name: 'Pause', exact: true }).boundingBox())!
    expect(seek.height).toBeGreaterThanOrEqual(44)
    expect(seek.y + seek.height).toBeLessThanOrEqual(play.y)
  })
})

test('on a phone the choices of the player have the whole screen', async ({ browser, page }) => {
  const id = await publishFilm(page)
  await onPhone(browser, async (held) => {
    await held.goto(`/video/${id}`)
    await untilPlaying(held)
    // Paused, the controls stay.
    await held.keyboard.press('k')
    const speed = held.getByRole('button', { name: /^Speed/ })
    const menu = held.getByRole('menu', { name: 'Speed' })
    await speed.tap()
    await menu.waitFor()
    for (const choice of await menu.getByRole('menuitemradio').all()) {
      const { y, height } = (await choice.boundingBox())!
      expect(y).toBeGreaterThan(0)
      expect(y + height).toBeLessThanOrEqual(844)
    }
    await menu.getByRole('menuitemradio', { name: '1.5×' }).tap()
    await menu.waitFor({ state: 'detached' })
    expect(await held.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5)
    await speed.tap()
    await menu.waitFor()
    // Beside them, on the logo: that they close is all that happens.
    await held.touchscreen.tap(24, 30)
    await menu.waitFor({ state: 'detached' })
    expect(new URL(held.url()).pathname).toBe(`/video/${id}`)
  })
})

test('one seeks with the bar, by keys and by pointer', async ({ page }) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const bar = page.getByRole('slider', { name: 'Seek' })
  await bar.focus()
  await page.keyboard.press('End')
  await expect.poll(async () => (await videoState(page)).currentTime).toBeGreaterThan(29)
  // Also after the end, it goes on from there.
  await page.waitForFunction(() => document.querySelector('video')?.ended)
  await page.keyboard.press('Home')
  expect(await untilPlaying(page)).toBeLessThan(10)
  const { x, y, width, height } = (await bar.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  const clicked = await untilPlaying(page, 14.5)
  expect(clicked).toBeLessThan(20)
  // After a click the vertical arrows are for the volume, and no ring is drawn around the bar.
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await videoState(page)).volume).toBeCloseTo(0.95)
  expect((await videoState(page)).currentTime).toBeGreaterThanOrEqual(clicked)
  expect(await bar.evaluate((element) => element.matches(':focus-visible'))).toBe(false)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('k')
  await expect.poll(() => bar.getAttribute('aria-valuetext')).toMatch(/^(1[5-9]|2\d) seconds of 30 seconds$/)
  // Paused, its end is the end as well.
  await bar.focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  expect((await videoState(page)).currentTime).toBeCloseTo(30)
  await page.keyboard.press(',')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await videoState(page)).currentTime).toBeCloseTo(30 - 1 / 24)
  await page.keyboard.press('0')
  // Faster than anything is drawn: each press counts.
  await bar.evaluate((element) => {
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight'])
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(15, 0)
  await page.getByRole('region', { name: 'Video player' }).evaluate((element) => {
    for (const key of ['ArrowDown', 'ArrowDown'])
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
  await expect.poll(async () => (await videoState(page)).volume).toBeCloseTo(0.9)
})

test('where the browser lets nothing begin by itself, one is asked to', async ({ page }) => {
  const id = await publishFilm(page)
  await page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype
    const refuse = () => Promise.reject(new DOMException('Nobody has pressed anything', 'NotAllowedError'))
    HTMLMediaElement.prototype.play = refuse
    addEventListener('pointerdown', () => (HTMLMediaElement.prototype.play = play), { capture: true })
  })
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'Play video' }).click()
  await untilPlaying(page)
  expect(await videoState(page)).toMatchObject({ muted: false })
  await page.getByRole('button', { name: 'Play video' }).waitFor({ state: 'detached' })
})

test('silence keeps the volume that was heard', async ({ page }) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const slider = page.getByRole('slider', { name: 'Volume' })
  await slider.fill('60')
  await page.getByRole('region', { name: 'Video player' }).focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Muted')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('65%')
  // Drawn to nothing, and back by the button.
  const { x, y, width, height } = (await slider.boundingBox())!
  await page.mouse.move(x + width * 0.65, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.3, y + height / 2, { steps: 4 })
  await page.mouse.move(x - 20, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Muted')
  await page.getByRole('button', { name: 'Mute', pressed: true }).click()
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('65%')
  // The slider's own arrows go on from there as well.
  await page.keyboard.press('m')
  await slider.press('ArrowRight')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('70%')
})

test('one of several tracks of sound is chosen, and its language the next time', async ({ page }) => {
  const tracks = ['-map', '0', '-map', '1', '-map', '1', '-c:v', 'libx264', '-preset', 'ultrafast']
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu']
  const buffer = await encodeLongClip('mp4', [...tracks, '-pix_fmt', 'yuv420p', '-c:a', 'aac', ...languages])
  await signIn(page)
  const video = { name: 'film.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, randomUUID(), { video })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.getByRole('button', { name: 'Audio, English' }).click()
  await expect.poll(() => page.getByRole('menuitemradio').allTextContents()).toEqual(['English', 'German'])
  const german = page.waitForResponse((response) => /audio-1\/.*\.m4s/.test(response.url()))
  await page.getByRole('menuitemradio', { name: 'German' }).click()
  await page.getByRole('button', { name: 'Audio, German' }).waitFor()
  await german
  await page.reload()
  await untilPlaying(page)
  await page.getByRole('button', { name: 'Audio, German' }).waitFor()
})

test('another quality is chosen, made on request, and shown', async ({ page }) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const quality = page.getByRole('button', { name: /^Quality/ })
  await quality.click()
  const playing = page.getByRole('menuitemradio').filter({ hasText: /playing$/ })
  await expect.poll(() => playing.count()).toBe(1)
  const choices = await page.getByRole('menuitemradio').allTextContents()
  expect(choices[0]).toMatch(/^Auto/)
  expect(choices.at(-1)).toMatch(/^240p/)
  await page.getByRole('menuitemradio', { name: '240p' }).click()
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 240)
  await page.getByRole('button', { name: 'Quality, 240p' }).waitFor()
  // The choice holds for the next video of the session.
  await page.goto(`/video/${id}`)
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 240)
  await quality.click()
  await page.getByRole('menuitemradio', { name: /^240p/, checked: true }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await quality.click()
  await page.getByRole('menuitemradio', { name: /^Auto/, checked: true }).waitFor()
})

test('a chosen quality comes in place of what is shown, and the other plays on until it is there', async ({
  page,
}) => {
  const id = await publishFilm(page)
  let release: () => void = () => undefined
  const isMade = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/240/*.m4s', async (route) => {
    await isMade
    await route.continue()
  })
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Quality/ }).click()
    // What was uploaded may have a quality made of it in the same height.
    await page.getByRole('menuitemradio', { name }).first().click()
  }
  const shows = (lines: number) =>
    page.waitForFunction((height) => document.querySelector('video')?.videoHeight === height, lines)
  await page.goto(`/video/${id}`)
  const from = await untilPlaying(page)
  await shows(360)
  await choose('240p')
  await untilPlaying(page, from + 2)
  expect((await videoState(page)).videoHeight).toBe(360)
  release()
  await shows(240)
  await pauseOnceItPlays(page)
  const { currentTime } = await videoState(page)
  await choose('360p')
  await shows(360)
  expect((await videoState(page)).currentTime).toBeCloseTo(currentTime, 2)
})

test('a chosen quality comes although each of its segments takes longer than it plays', async ({ page }) => {
  const id = await publishFilm(page)
  await page.route('**/240/*.m4s', async (route) => {
    const { currentTime } = await videoState(page)
    // the video has gone on by more than a segment, or waits
    await page.waitForFunction((until) => {
      const video = document.querySelector('video')
      return !video || video.currentTime > until || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
    }, currentTime + 5)
    await route.continue().catch(() => {})
  })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.getByRole('button', { name: /^Quality/ }).click()
  await page.getByRole('menuitemradio', { name: '240p' }).click()
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 240)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

const shownCaptions = (page: Page) =>
  page.locator('video').evaluate((element) => {
    const tracks = [...(element as HTMLVideoElement).textTracks]
    return tracks.map(({ activeCues }) => [...(activeCues ?? [])].map((cue) => (cue as VTTCue).text))
  })

test('captions are shown when they are wanted, in the language that was chosen', async ({ page }) => {
  await signIn(page)
  const video = await longClip({ eng: 'Good <b>evening</b>', deu: 'Guten Abend' })
  const id = await publish(page, randomUUID(), { video })
  await page.goto(`/video/${id}`)
  await pauseOnceItPlays(page)
  const choice = page.getByRole('button', { name: /^Subtitles/ })
  expect(await choice.getAttribute('aria-label')).toBe('Subtitles, off')
  await expect.poll(() => shownCaptions(page)).toEqual([[], []])
  await page.keyboard.press('c')
  await expect.poll(() => shownCaptions(page)).toEqual([['Good evening'], []])
  await choice.click()
  await page.getByRole('menuitemradio', { name: 'English', checked: true }).waitFor()
  await page.getByRole('menuitemradio', { name: 'German' }).click()
  await expect.poll(() => shownCaptions(page)).toEqual([[], ['Guten Abend']])
  await page.reload()
  await pauseOnceItPlays(page)
  await expect.poll(() => shownCaptions(page)).toEqual([[], ['Guten Abend']])
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Subtitles, off' }).waitFor()
  await expect.poll(() => shownCaptions(page)).toEqual([[], []])
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Subtitles, German' }).waitFor()
})

test('every button lies whole within the narrowest player, and the end of a film shows its end', async ({
  page,
}) => {
  await signIn(page)
  const id = await publish(page, randomUUID(), { video: await longClip({ eng: 'Good evening' }) })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.getByRole('button', { name: 'Subtitles' }).waitFor()
  const region = page.getByRole('region', { name: 'Video player' })
  const player = (await region.boundingBox())!
  const button = (await page.getByRole('button', { name: 'Full screen' }).boundingBox())!
  expect(button.x + button.width).toBeLessThanOrEqual(player.x + player.width)
  expect(button.width).toBeGreaterThanOrEqual(44)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('slider', { name: 'Seek' }).press('End')
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  const clock = region.getByText('/ 00:30').locator('..')
  await expect.poll(() => clock.textContent()).toBe('00:30 / 00:30')
})

test('one track of captions is a button; a film without any has none', async ({ page }) => {
  const silent = await publishFilm(page)
  const id = await publish(page, randomUUID(), { video: await longClip({ eng: 'Good evening' }) })
  await page.goto(`/video/${id}`)
  await pauseOnceItPlays(page)
  await page.getByRole('button', { name: 'Subtitles', pressed: false }).click()
  await expect.poll(() => shownCaptions(page)).toEqual([['Good evening']])
  await page.getByRole('button', { name: 'Subtitles', pressed: true }).waitFor()
  await page.goto(`/video/${silent}`)
  await untilPlaying(page)
  // What is said about the video tells of its captions, and has come with the title.
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: /^Subtitles/ }).count()).toBe(0)
})

test('volume, speed and theatre are remembered, and the place where one stopped', async ({
  page,
  newVisitor,
}) => {
  const id = await publishFilm(page)
  const visitor = await newVisitor()
  await visitor.goto(`/video/${id}`)
  await untilPlaying(visitor)
  await visitor.getByRole('slider', { name: 'Volume' }).fill('40')
  await visitor.keyboard.press('>')
  await visitor.keyboard.press('t')
  await visitor.keyboard.press('k')
  await visitor.keyboard.press('5')
  await expect.poll(async () => (await videoState(visitor)).currentTime).toBeCloseTo(15, 0)
  await visitor.reload()
  expect(await untilPlaying(visitor)).toBeGreaterThan(14)
  expect(await videoState(visitor)).toMatchObject({ volume: 0.4, playbackRate: 1.25 })
  await visitor.getByRole('button', { name: 'Theatre mode', pressed: true }).waitFor()
  // An address with a start comes first.
  await visitor.goto(`/video/${id}?t=3`)
  const start = await untilPlaying(visitor)
  expect(start).toBeGreaterThanOrEqual(3)
  expect(start).toBeLessThan(10)
})

test('a seek in the last moment before leaving is remembered', async ({ page, newVisitor }) => {
  const id = await publishFilm(page)
  const visitor = await newVisitor()
  const places = () => visitor.evaluate(() => localStorage.getItem('kinora.positions'))
  await visitor.goto(`/video/${id}`)
  await untilPlaying(visitor)
  // In one go, so that the page is left before it has heard of the seek.
  const placesThen = await visitor.evaluate(() => {
    document.querySelector('video')!.currentTime = 15
    dispatchEvent(new Event('pagehide'))
    return localStorage.getItem('kinora.positions')
  })
  expect(placesThen).toBe(JSON.stringify([[id, 15]]))
  await visitor.evaluate(() => {
    document.querySelector('video')!.currentTime = 17
    document.querySelector<HTMLAnchorElement>('a[href="/"]')!.click()
  })
  await visitor.waitForURL('/')
  await expect.poll(places).toMatch(/,1[78]\]\]$/)
})

test('a start behind the end is no start', async ({ page }) => {
  const id = await publishFilm(page)
  for (const address of [`/video/${id}?t=5000`, `/embed/${id}?t=5000&autoplay=1`]) {
    await page.goto(address)
    expect(await untilPlaying(page)).toBeLessThan(10)
  }
})

test('signed in, one goes on watching on another device', async ({ page, newVisitor }) => {
  const id = await publishFilm(page)
  const person = await signIn(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const saved = page.waitForResponse(
    (response) =>
      response.url().includes('/users/position/') &&
      response.request().method() === 'PUT' &&
      Math.floor(response.request().postDataJSON().positionSeconds) === 15,
  )
  await page.keyboard.press('5')
  await page.keyboard.press('k')
  expect((await saved).ok()).toBe(true)
  const elsewhere = await newVisitor()
  await signIn(elsewhere, person)
  await elsewhere.goto(`/video/${id}`)
  // Less far than playing from the start gets there.
  expect(await untilPlaying(elsewhere, 10)).toBeGreaterThan(14)
})

test('time stamps are links to their place', async ({ page }) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const stamp = page.getByRole('link', { name: '0:20' })
  expect(await stamp.getAttribute('href')).toBe(`/video/${id}?t=20`)
  await stamp.click()
  await untilPlaying(page, 20)
})

test('a segment that is still being made is waited for', async ({ page }) => {
  const id = await publishFilm(page)
  let refusals = 0
  await page.route('**/*.m4s', async (route) => {
    refusals += 1
    if (refusals <= 6) await route.fulfill({ status: 503, headers: { 'retry-after': '1' } })
    else await route.continue()
  })
  await page.goto(`/video/${id}`)
  // Some seconds for the refusals alone.
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0, undefined, {
    timeout: 120_000,
  })
  expect(refusals).toBeGreaterThan(6)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a rung that is given up while its head is still on its way takes nothing with it', async ({ page }) => {
  const id = await publishFilm(page)
  const held: Route[] = []
  await page.route('**/init.mp4', (route) => {
    if (route.request().url().includes('/source/')) held.push(route)
    else return route.continue()
  })
  await page.route('**/source/*.m4s', (route) => route.fulfill({ status: 503 }))
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  expect(held.length).toBeGreaterThan(0)
})

test('sound that has come before the pictures plays as soon as they are there', async ({ page }) => {
  const id = await publishFilm(page)
  // Whoever looks again and again finds out later what nobody told.
  await page.addInitScript(() => {
    Object.assign(globalThis, { setInterval: () => 0 })
  })
  const sound = page.waitForResponse(/\/audio-0\/0\.m4s$/)
  await page.route(/\/(source|\d+)\/0\.m4s$/, async (route) => {
    await (await sound).finished()
    await route.continue()
  })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
})

test('a lost connection is told, and the video goes on by itself when it is back', async ({ page }) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.route('**/*.m4s', (route) => route.abort('connectionreset'))
  await page.reload()
  const status = page.getByRole('region', { name: 'Video player' }).getByRole('status')
  await status.getByText('Connection lost.').waitFor()
  await page.unroute('**/*.m4s')
  await untilPlaying(page)
  await expect.poll(() => status.count()).toBe(0)
})

test.for([
  ['while one watches', 2],
  ['than what one has watched', 1],
] as const)('a film that turns out shorter %s ends there', async ([, last], { page }) => {
  const id = await publishFilm(page)
  // each playlist ends with this segment once somebody has missed the fourth
  let isMissed = false
  const known = new Set<string>()
  const askedAgain: string[] = []
  await page.route(/\/([3-9]|\d{2,})\.m4s$/, (route) => {
    isMissed = true
    return route.fulfill({ status: 404 })
  })
  await page.route('**/index.m3u8', async (route) => {
    const request = route.request()
    if (known.has(request.url())) askedAgain.push(request.headers()['cache-control'] ?? '')
    known.add(request.url())
    const response = await route.fetch()
    const whole = await response.text()
    const end = whole.indexOf('#EXTINF', whole.indexOf(`${last}.m4s`))
    await route.fulfill({ response, body: isMissed ? `${whole.slice(0, end)}#EXT-X-ENDLIST\n` : whole })
  })
  await page.goto(`/video/${id}?t=9`)
  await page.waitForFunction(() => document.querySelector('video')?.ended, undefined, { timeout: 120_000 })
  const { currentTime, source } = await page.locator('video').evaluate((element) => {
    const video = element as HTMLVideoElement
    return { currentTime: video.currentTime, source: video.src }
  })
  expect(Math.abs(currentTime - (last + 1) * 4)).toBeLessThan(0.5)
  // not the file in place of the stream
  expect(source).toMatch(/^blob:/)
  expect(new Set(askedAgain)).toEqual(new Set(['no-cache']))
})

test('a recording that stands still is sought in there, and goes on when it moves', async ({ page }) => {
  await signIn(page)
  const still = ['-t', '20', '-vf', "select='lt(t\\,3)+gt(t\\,17)'", '-fps_mode', 'vfr', '-c:a', 'aac']
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const buffer = await encodeLongClip('mp4', [...still, ...coded])
  const id = await publish(page, randomUUID(), {
    video: { name: 'still.mp4', mimeType: 'video/mp4', buffer },
  })
  await page.goto(`/video/${id}?t=14`)
  // also where it is at its end before anybody looks
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 17.5, undefined, {
    timeout: 120_000,
  })
  // from there on without a leap over what shows nothing new
  const begins = await page.locator('video').evaluate((video) => (video as HTMLVideoElement).played.start(0))
  expect(begins).toBeCloseTo(14, 0)
})

/** The stream is a blob; the file in place of it is not. */
const playsStream = (page: Page) =>
  page.locator('video').evaluate((video) => (video as HTMLVideoElement).src.startsWith('blob:'))

test('a film that is damaged in its middle plays to its end', async ({ page }) => {
  await signIn(page)
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24', '-c:a', 'aac']
  const buffer = await encodeLongClip('mp4', ['-t', '12', ...coded])
  buffer.fill(0xa5, Math.round(buffer.length * 0.4), Math.round(buffer.length * 0.55))
  const video = { name: 'damaged.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, randomUUID(), { video })
  await page.goto(`/video/${id}`)
  await page.waitForFunction(() => document.querySelector('video')?.ended, undefined, { timeout: 120_000 })
  expect((await videoState(page)).currentTime).toBeCloseTo(12, 0)
  expect(await playsStream(page)).toBe(true)
})

/** Parts of the stream come as something that no decoder takes; answers how many have. */
async function damage(page: Page, parts: RegExp): Promise<() => number> {
  let damaged = 0
  await page.route(parts, async (route) => {
    const response = await route.fetch()
    const body = await response.body()
    body.fill(0xa5, body.indexOf('mdat') + 4)
    damaged += 1
    await route.fulfill({ response, body })
  })
  return () => damaged
}

/** Pages are drawn when they are told `let-in`, while what is begun before that goes on. */
const drawOnceLetIn = (page: Page) =>
  page.addInitScript(() => {
    const letIn = new Promise((resolve) => addEventListener('let-in', resolve, { once: true }))
    let seen = Promise.resolve()
    Object.defineProperty(globalThis, 'firstScreenSeen', {
      get: () => seen,
      set(first: Promise<void>) {
        seen = Promise.all([first, letIn]).then(() => undefined)
      },
    })
  })

test.for<[string, RegExp, number]>([
  ['sound', /audio-0\/2\.m4s$/, 6],
  ['picture', /source\/2\.m4s$/, 6],
  ['the first pictures', /source\/0\.m4s$/, 0],
])('what no decoder takes is passed over: %s', async ([, part, from], { page }) => {
  const id = await publishFilm(page)
  const damaged = await damage(page, part)
  await page.goto(`/video/${id}?t=${from}`)
  await untilPlaying(page, from + 7)
  expect((await videoState(page)).currentTime).toBeLessThan(29)
  expect(damaged()).toBeGreaterThan(0)
  expect(await playsStream(page)).toBe(true)
})

test('a stream that is gone says so, and another try plays it', async ({ page }) => {
  const id = await publishFilm(page)
  await page.route('**/media/{videos,sources}/**', (route) => route.fulfill({ status: 404 }))
  await page.goto(`/video/${id}`)
  const alert = page.getByRole('region', { name: 'Video player' }).getByRole('alert')
  await alert.waitFor()
  await page.unroute('**/media/{videos,sources}/**')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await untilPlaying(page)
  await expect.poll(() => alert.count()).toBe(0)
})

test('a stream that is refused while its page is being drawn says so', async ({ page }) => {
  const id = await publishFilm(page)
  await page.route('**/media/{videos,sources}/**', (route) => route.fulfill({ status: 404 }))
  // Between the refusal and the player there is less than a moment: what is put off until then comes after the player.
  await page.addInitScript(() => {
    const { setTimeout } = globalThis
    const putOff = (run: () => void, ms = 0) => setTimeout(run, ms === 0 ? 2000 : ms)
    globalThis.setTimeout = putOff as typeof setTimeout
  })
  await page.goto(`/video/${id}`)
  await page.getByRole('region', { name: 'Video player' }).getByRole('alert').waitFor()
})

test('what cannot be decoded before its player is drawn is passed over', async ({ page }) => {
  await signIn(page)
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const buffer = await encodeLongClip('mp4', ['-t', '3', ...coded])
  const id = await publish(page, randomUUID(), {
    video: { name: 'short.mp4', mimeType: 'video/mp4', buffer },
  })
  await damage(page, /audio-0\/0\.m4s$/)
  await drawOnceLetIn(page)
  // Once the browser has failed at what was begun before.
  await page.addInitScript(() => {
    const { createElement } = Document.prototype
    const letIn = () => dispatchEvent(new Event('let-in'))
    Document.prototype.createElement = function (name: string, options?: ElementCreationOptions) {
      const element = createElement.call(this, name, options)
      if (name === 'video') element.addEventListener('error', letIn, { once: true })
      return element
    }
  })
  await page.goto(`/video/${id}`)
  await page.waitForFunction(() => document.querySelector('video')?.ended)
})

test('a part that is refused once is asked for again, and nothing else is', async ({ page }) => {
  const id = await publishFilm(page)
  await drawOnceLetIn(page)
  let refused = 0
  await page.route(/\/0\.m4s$/, (route) => {
    refused += 1
    return refused === 1 ? route.fulfill({ status: 503 }) : route.continue()
  })
  const playlists: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.m3u8')) playlists.push(request.url())
  })
  const refusal = page.waitForResponse((response) => response.status() === 503)
  await page.goto(`/video/${id}`, { waitUntil: 'commit' })
  await refusal
  await untilApplied(page)
  await page.evaluate(() => dispatchEvent(new Event('let-in')))
  await untilPlaying(page)
  expect(refused).toBeGreaterThan(1)
  expect(new Set(playlists).size).toBe(playlists.length)
})

test('in a frame on another site the player waits to be pressed, and counts the view then', async ({
  page,
}) => {
  const id = await publishFilm(page)
  const views: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') views.push(new URL(request.url()).pathname)
  })
  await page.goto(`/embed/${id}`)
  const press = page.getByRole('button', { name: 'Play video' })
  await press.waitFor()
  expect(views).toEqual([])
  await press.click()
  await untilPlaying(page, 0.5)
  await expect.poll(() => views).toEqual([`/api/v1/video/${id}`])
})

test('in a frame the place in the address is shown before anybody presses, and keys go on from it', async ({
  page,
}) => {
  const id = await publishFilm(page)
  await page.goto(`/embed/${id}?t=12`)
  const press = page.getByRole('button', { name: 'Play video' })
  await press.waitFor()
  const seek = page.getByRole('slider', { name: 'Seek' })
  await expect.poll(() => seek.getAttribute('aria-valuenow')).toBe('12')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => seek.getAttribute('aria-valuenow')).toBe('17')
  await press.click()
  await untilPlaying(page, 17)
})

test('the sheet of keys names what the player has', async ({ page }) => {
  const id = await publishFilm(page)
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.goto(`/embed/${id}`)
  await page.getByRole('button', { name: 'Play video' }).waitFor()
  await page.keyboard.press('?')
  await sheet.getByText('Full screen').waitFor()
  expect(await sheet.getByText(/Theatre mode|Search/).count()).toBe(0)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.keyboard.press('?')
  await sheet.getByText('Theatre mode').waitFor()
  expect(await sheet.getByText('Search').count()).toBe(1)
})

test('a pointer that rests on the bar shows nothing more once the film is over', async ({ page }) => {
  const id = await publishFilm(page)
  await page.goto(`/video/${id}`)
  await pauseOnceItPlays(page)
  const seek = page.getByRole('slider', { name: 'Seek' })
  await seek.hover()
  const preview = seek.getByText(/^\d\d:\d\d$/)
  await preview.waitFor()
  await page.locator('video').evaluate((element) => {
    const video = element as HTMLVideoElement
    video.currentTime = video.duration
  })
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  await expect.poll(() => preview.count()).toBe(0)
  const { x, y } = (await seek.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x + 40, y + 8)
  await preview.waitFor()
})

test('a finger seeks: twice at the side by ten seconds, across the picture as far as it goes', async ({
  page,
}) => {
  const id = await publishFilm(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.keyboard.press('k')
  await page.keyboard.press('0')
  await expect.poll(async () => (await videoState(page)).currentTime).toBe(0)
  const session = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await page.getByRole('region', { name: 'Video player' }).boundingBox())!
  // The time of a touch is told along, so that a slow machine does not make one tap of two.
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number, timestamp: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      timestamp,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + width * share, y: y + height * 0.4 }],
    })
  const now = Date.now() / 1000
  for (const at of [now, now + 0.1]) {
    await touch('touchStart', 0.9, at)
    await touch('touchEnd', 0.9, at + 0.05)
  }
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(10, 0)
  await touch('touchStart', 0.3, now + 1)
  for (const share of [0.4, 0.5, 0.6]) await touch('touchMove', share, now + 1 + share)
  await page.getByText('+9 s').waitFor({ state: 'attached' })
  await touch('touchEnd', 0.6, now + 2)
  // A third of the picture is a third of half a minute.
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(19, 0)
})

test('a menu lies within the player, however low that is', async ({ page }) => {
  const id = await publishFilm(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.getByRole('button', { name: /^Quality/ }).click()
  const menu = (await page.getByRole('menu', { name: 'Quality' }).boundingBox())!
  const player = (await page.getByRole('region', { name: 'Video player' }).boundingBox())!
  expect(menu.y).toBeGreaterThanOrEqual(player.y)
  await page.getByRole('menuitemradio').last().click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
})
