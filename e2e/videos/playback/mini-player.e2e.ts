import type { Page, Request } from 'playwright-core'
import { findAccessibilityIssues } from '../../fixtures/accessibility.ts'
import { publishLongClip, untilPlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'

const isPlaybackReport = (request: Request) => new URL(request.url()).pathname.endsWith('/playback')

const mini = (page: Page) => page.getByRole('region', { name: 'Mini player' })

test('a video continues in a corner of other pages once that is chosen', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await expect(page.locator('video')).toHaveCount(0)

  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Keep playing in a corner' }).click()
  await page.keyboard.press('Escape')
  const left = await untilPlaying(page, 3)
  const leftAt = performance.now()
  const ofPage = page.waitForRequest(isPlaybackReport)
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await ofPage
  await mini(page).waitFor()
  const inCorner = await untilPlaying(page, left)
  // no further than the time that has passed
  expect(inCorner).toBeLessThan(left + (performance.now() - leftAt) / 1000 + 1)
  // long enough for a report of it
  await untilPlaying(page, inCorner + 0.5)
  await mini(page).getByRole('button', { name: 'Mute' }).press('Enter')
  await expect.poll(async () => (await videoState(page)).muted).toBe(true)
  await mini(page).getByRole('button', { name: 'Mute', pressed: true }).press('Enter')
  await expect.poll(async () => (await videoState(page)).muted).toBe(false)
  await mini(page).getByRole('button', { name: 'Pause playing' }).press('Enter')
  await expect.poll(async () => (await videoState(page)).paused).toBe(true)
  expect(await findAccessibilityIssues(page)).toEqual([])
  const ofCorner = page.waitForRequest(isPlaybackReport)
  await page.goBack()
  await ofCorner
  await page.getByRole('region', { name: 'Video player' }).waitFor()
  await expect(page.locator('video')).toHaveCount(1)

  await untilPlaying(page)
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await mini(page).getByRole('button', { name: 'Expand the player' }).click()
  await page.waitForURL((url) => url.pathname === `/video/${id}`)
  await page.getByRole('region', { name: 'Video player' }).waitFor()

  await untilPlaying(page)
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await mini(page).getByRole('button', { name: 'Stop playing' }).click()
  await expect(page.locator('video')).toHaveCount(0)
})
