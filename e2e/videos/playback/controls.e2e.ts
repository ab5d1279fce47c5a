import { pauseOncePlaying, publishLongClip, untilPlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'

test('keyboard shortcuts control the player and are ignored while typing', async ({ page }) => {
  const id = await publishLongClip(page)
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
  const commentField = page.getByRole('textbox', { name: 'Add a comment' })
  await commentField.fill('')
  await commentField.pressSequentially('kmt 0')
  expect(await commentField.inputValue()).toBe('kmt 0')
  const after = await videoState(page)
  expect(after).toMatchObject({ paused: true, muted: true, playbackRate: 1 })
  expect(after.currentTime).toBeCloseTo(20, 0)
  expect(await page.getByRole('button', { name: 'Theatre mode', pressed: true }).count()).toBe(1)
})

test('a click toggles playback, a double click enters full screen', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const video = page.locator('video')
  await video.hover()
  await video.click()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await videoState(page)).paused).toBe(true)
  await video.click()
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await video.dblclick()
  await page.getByRole('button', { name: 'Exit full screen' }).waitFor()
})

test('the seek bar seeks by keyboard and by pointer', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const bar = page.getByRole('slider', { name: 'Seek' })
  await bar.focus()
  await page.keyboard.press('End')
  await expect.poll(async () => (await videoState(page)).currentTime).toBeGreaterThan(29)

  // Seeking after the end resumes playback.
  await page.waitForFunction(() => document.querySelector('video')?.ended)
  await page.keyboard.press('Home')
  expect(await untilPlaying(page)).toBeLessThan(10)
  const { x, y, width, height } = (await bar.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  const clicked = await untilPlaying(page, 14.5)
  expect(clicked).toBeLessThan(20)

  // After a click, vertical arrows change the volume, and the bar shows no focus ring.
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await videoState(page)).volume).toBeCloseTo(0.95)
  expect((await videoState(page)).currentTime).toBeGreaterThanOrEqual(clicked)
  expect(await bar.evaluate((element) => element.matches(':focus-visible'))).toBe(false)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('k')
  await expect(bar).toHaveAttribute('aria-valuetext', /^(1[5-9]|2\d) seconds of 30 seconds$/)

  // Seeking to the end while paused ends the video.
  await bar.focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  expect((await videoState(page)).currentTime).toBeCloseTo(30)
  await page.keyboard.press(',')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await videoState(page)).currentTime).toBeCloseTo(30 - 1 / 12)
  await page.keyboard.press('0')

  // Several presses within one frame all count.
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

test('unmuting restores the previous volume @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const slider = page.getByRole('slider', { name: 'Volume' })
  await slider.fill('60')
  await page.getByRole('region', { name: 'Video player' }).focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowDown')
  await expect(slider).toHaveAttribute('aria-valuetext', 'Muted')
  await page.keyboard.press('ArrowUp')
  await expect(slider).toHaveAttribute('aria-valuetext', '65%')

  // Dragging to zero mutes; the button restores the volume.
  const { x, y, width, height } = (await slider.boundingBox())!
  await page.mouse.move(x + width * 0.65, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.3, y + height / 2, { steps: 4 })
  await page.mouse.move(x - 20, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(slider).toHaveAttribute('aria-valuetext', 'Muted')
  await page.getByRole('button', { name: 'Mute', pressed: true }).click()
  await expect(slider).toHaveAttribute('aria-valuetext', '65%')

  // Arrow keys on the slider continue from the restored volume.
  await page.keyboard.press('m')
  await slider.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', '70%')
})

test('the hover preview of the seek bar disappears when the video ends @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await pauseOncePlaying(page)
  const seek = page.getByRole('slider', { name: 'Seek' })
  await seek.hover()
  const preview = seek.getByText(/^\d\d:\d\d$/)
  await preview.waitFor()
  await page.locator('video').evaluate((element) => {
    const video = element as HTMLVideoElement
    video.currentTime = video.duration
  })
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  await expect(preview).toHaveCount(0)
  const { x, y } = (await seek.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x + 40, y + 8)
  await preview.waitFor()
})

test('a double tap seeks by ten seconds, a horizontal swipe scrubs', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.keyboard.press('k')
  await page.keyboard.press('0')
  await expect.poll(async () => (await videoState(page)).currentTime).toBe(0)
  const session = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await page.getByRole('region', { name: 'Video player' }).boundingBox())!
  // Explicit timestamps keep a slow machine from turning a double tap into two taps.
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
  // A swipe over 30% of the width seeks 30% of the 30 s.
  await expect.poll(async () => (await videoState(page)).currentTime).toBeCloseTo(19, 0)
})

test('the keyboard shortcut dialog lists only the shortcuts of the page @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.goto(`/embed/${id}`)
  await page.getByRole('button', { name: 'Play video' }).waitFor()
  await page.keyboard.press('?')
  await dialog.getByText('Full screen').waitFor()
  expect(await dialog.getByText(/Theatre mode|Search/).count()).toBe(0)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.keyboard.press('?')
  await dialog.getByText('Theatre mode').waitFor()
  expect(await dialog.getByText('Search').count()).toBe(1)
})
