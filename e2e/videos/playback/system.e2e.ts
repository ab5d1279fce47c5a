import { publishLongClip, untilPlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'

test('the media session has the title, follows playback and controls it', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.addInitScript(() => {
    const handlers: Record<string, MediaSessionActionHandler | null> = {}
    Object.assign(window, { handlers })
    MediaSession.prototype.setActionHandler = (action, handler) => void (handlers[action] = handler)
  })
  const send = (details: MediaSessionActionDetails) =>
    page.evaluate(
      (sent) =>
        (Reflect.get(window, 'handlers') as Record<string, MediaSessionActionHandler>)[sent.action]?.(sent),
      details,
    )
  const session = () =>
    page.evaluate(() => ({
      title: navigator.mediaSession.metadata?.title,
      artist: navigator.mediaSession.metadata?.artist,
      pictures: navigator.mediaSession.metadata?.artwork.length,
      state: navigator.mediaSession.playbackState,
    }))
  await page.goto(`/video/${id}`)
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  await untilPlaying(page)
  await expect.poll(session).toEqual({ title, artist: 'Ines Falk', pictures: 1, state: 'playing' })
  await send({ action: 'pause' })
  await expect.poll(session).toMatchObject({ state: 'paused' })
  expect((await videoState(page)).paused).toBe(true)
  await send({ action: 'seekto', seekTime: 20 })
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(20, 0)
  await send({ action: 'seekbackward', seekOffset: 5 })
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(15, 0)
  await send({ action: 'play' })
  await untilPlaying(page, 15)
})

test('without Media Source the browser plays the stream itself', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.addInitScript(() => {
    for (const name of ['MediaSource', 'ManagedMediaSource', 'WebKitMediaSource'])
      Reflect.deleteProperty(window, name)
    const { canPlayType } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.canPlayType = function (this: HTMLMediaElement, type) {
      return type === 'application/vnd.apple.mpegurl' ? 'maybe' : canPlayType.call(this, type)
    }
  })
  const playlist = page.waitForRequest(
    (request) => request.url().includes('master.m3u8') && request.resourceType() === 'media',
  )
  await page.goto(`/video/${id}?t=10`)
  expect((await playlist).url()).toContain(id)
  // From the stream, or from the uploaded file in a browser without native HLS.
  await untilPlaying(page, 10)
})

test('the current page and the focus are visible in forced colours @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/')
  const current = page.getByRole('navigation').locator('[aria-current=page]').first()
  const mark = () =>
    current.evaluate((link) => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'CanvasText'
      const text = getComputedStyle(probe).color
      probe.remove()
      return [
        getComputedStyle(link, '::before').backgroundColor === text,
        getComputedStyle(link, '::before').content,
      ]
    })
  await expect.poll(mark).toEqual([true, '""'])
  await page.goto(`/video/${id}`)
  const play = page.getByRole('button', { name: /^(Play|Pause)$/ })
  await play.waitFor()
  await page.keyboard.press('Tab')
  await play.focus()
  const outline = await play.evaluate((button) => getComputedStyle(button).outlineStyle)
  expect(outline).not.toBe('none')
})
