import { randomUUID } from 'node:crypto'
import { longClip, publish } from '../../fixtures/clips.ts'
import { onPhone } from '../../fixtures/phone.ts'
import { openSetting, publishLongClip, untilPlaying } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

test('the player fills a low window below the top bar @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const bar = (await page.getByRole('banner').boundingBox())!
  const player = (await page.getByRole('region', { name: 'Video player' }).boundingBox())!
  expect(player).toEqual({ x: 0, y: bar.height, width: 844, height: 390 - bar.height })
  expect(bar.height).toBeLessThanOrEqual(48)
})

test('the seek bar is at least 44 pixels high on touch screens @nightly', async ({ browser, page }) => {
  const id = await publishLongClip(page)
  await onPhone(browser, async (phonePage) => {
    await phonePage.goto(`/video/${id}`)
    await untilPlaying(phonePage)
    const seek = (await phonePage.getByRole('slider', { name: 'Seek' }).boundingBox())!
    const play = (await phonePage.getByRole('button', { name: 'Pause', exact: true }).boundingBox())!
    expect(seek.height).toBeGreaterThanOrEqual(44)
    expect(seek.y + seek.height).toBeLessThanOrEqual(play.y)
  })
})

test('player menus fit the screen of a phone and close on a tap outside @nightly', async ({
  browser,
  page,
}) => {
  const id = await publishLongClip(page)
  await onPhone(browser, async (phonePage) => {
    await phonePage.goto(`/video/${id}`)
    await untilPlaying(phonePage)
    // Controls stay visible while paused.
    await phonePage.keyboard.press('k')
    const settings = phonePage.getByRole('button', { name: 'Settings', exact: true })
    const menu = phonePage.getByRole('menu')
    await settings.tap()
    await phonePage.getByRole('menuitem', { name: 'Speed' }).tap()
    await phonePage.getByRole('menu', { name: 'Speed' }).waitFor()
    for (const choice of await menu.getByRole('menuitemradio').all()) {
      const { y, height } = (await choice.boundingBox())!
      expect(y).toBeGreaterThan(0)
      expect(y + height).toBeLessThanOrEqual(844)
    }
    await menu.getByRole('menuitemradio', { name: '1.5×' }).tap()
    await menu.waitFor({ state: 'detached' })
    expect(await phonePage.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(
      1.5,
    )
    await settings.tap()
    await menu.waitFor()
    // A tap on the logo, outside the menu, closes the menu and does not navigate.
    await phonePage.touchscreen.tap(24, 30)
    await menu.waitFor({ state: 'detached' })
    expect(new URL(phonePage.url()).pathname).toBe(`/video/${id}`)
  })
})

test('the watch page fits a width of 320 pixels, and the clock ends at the duration', async ({ page }) => {
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
  await page
    .getByRole('link', { name: 'Share' })
    .locator('..')
    .getByRole('button', { name: 'More actions' })
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('slider', { name: 'Seek' }).press('End')
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  const clock = region.getByText('/ 00:30').locator('..')
  await expect(clock).toHaveText('00:30 / 00:30')
})

test('a menu stays within a low player @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await openSetting(page, 'Quality')
  const menu = (await page.getByRole('menu', { name: 'Quality' }).boundingBox())!
  const player = (await page.getByRole('region', { name: 'Video player' }).boundingBox())!
  expect(menu.y).toBeGreaterThanOrEqual(player.y)
  await page.getByRole('menuitemradio').last().click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
})
