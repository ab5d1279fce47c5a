import { randomUUID } from 'node:crypto'
import { findViolations } from '../../fixtures/accessibility.ts'
import { encodeLongClip, publish } from '../../fixtures/clips.ts'
import { onPhone } from '../../fixtures/phone.ts'
import {
  openSetting,
  pauseOncePlaying,
  publishLongClip,
  untilPlaying,
  videoState,
} from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

test('the settings loop the video, show stats, and return to the menu by keyboard', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.getByRole('button', { name: 'Settings', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Speed' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('menuitemradio', { name: 'Normal', checked: true }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('menuitem', { name: 'Speed' })).toBeFocused()
  await page.getByRole('menuitemcheckbox', { name: 'Loop', checked: false }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Loop', checked: true }).waitFor()
  await page.getByRole('menuitemcheckbox', { name: 'Stats for nerds' }).click()
  await page.keyboard.press('Escape')
  const stats = page.getByRole('region', { name: 'Stats for nerds' })
  await stats.getByText(/^\d+×360/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await stats.getByRole('button', { name: 'Hide stats' }).click()
  await stats.waitFor({ state: 'detached' })

  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration - 1
  })
  await expect.poll(async () => (await videoState(page)).currentTime).toBeLessThan(10)
  await untilPlaying(page, 1)
})

test('data saver plays at most 480 lines and waits for a press, until it is off @nightly', async ({
  page,
}) => {
  await signIn(page)
  const encoding = ['-t', '20', '-vf', 'scale=1280:720', '-c:v', 'libx264', '-preset', 'ultrafast']
  const buffer = await encodeLongClip('mp4', [...encoding, '-pix_fmt', 'yuv420p', '-g', '24', '-c:a', 'aac'])
  const file = { name: 'video.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, randomUUID(), { video: file })
  // a smaller player shows no more than 480 lines anyway
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.addInitScript(() => {
    if (!localStorage.getItem('kinora.player'))
      localStorage.setItem('kinora.player', JSON.stringify({ savesData: true, isMuted: true }))
  })
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'Play video' }).click()
  await untilPlaying(page, 1)
  expect((await videoState(page)).videoHeight).toBeLessThanOrEqual(480)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Data saver', checked: true }).click()
  await page.reload()
  await untilPlaying(page)
})

test('the sleep timer pauses at its time @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.clock.install()
  await page.goto(`/video/${id}`)
  await openSetting(page, 'Sleep timer Off')
  await page.getByRole('menuitemradio', { name: '15 minutes' }).click()
  await untilPlaying(page)
  await page.clock.fastForward('15:01')
  await expect.poll(async () => (await videoState(page)).paused).toBe(true)
  await openSetting(page, 'Sleep timer Off')
})

test('the video plays at double speed while it is held @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.locator('video').hover()
  await page.mouse.down()
  await expect.poll(async () => (await videoState(page)).playbackRate).toBe(2)
  await page.mouse.up()
  await expect.poll(() => videoState(page)).toMatchObject({ playbackRate: 1, paused: false })
})

test('phones have large buttons in the middle of the video @nightly', async ({ browser, page }) => {
  const id = await publishLongClip(page)
  await onPhone(browser, async (phonePage) => {
    await phonePage.goto(`/video/${id}`)
    await pauseOncePlaying(phonePage)
    const { currentTime } = await videoState(phonePage)
    const forward = phonePage.getByRole('button', { name: 'Forward 10 seconds' })
    expect((await forward.boundingBox())!.width).toBeGreaterThanOrEqual(44)
    await forward.tap()
    await expect.poll(async () => (await videoState(phonePage)).currentTime).toBeCloseTo(currentTime + 10, 0)
    await phonePage.getByRole('button', { name: 'Back 10 seconds' }).tap()
    await expect.poll(async () => (await videoState(phonePage)).currentTime).toBeCloseTo(currentTime, 0)
  })
})
