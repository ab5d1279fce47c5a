import { pauseOncePlaying, publishLongClip, untilPlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'

test('an address plays a part of a video, and the player continues beyond it', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}?t=0:04`)
  await pauseOncePlaying(page)
  await page.getByRole('link', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('checkbox', { name: 'Start at 00:04' }).check()
  await dialog.getByRole('checkbox', { name: 'End at' }).check()
  await expect(dialog.getByRole('textbox', { name: 'End time' })).toHaveValue('00:30')
  await dialog.getByRole('textbox', { name: 'End time' }).fill('3')
  await expect(dialog.getByRole('status')).toContainText('after the start')
  await dialog.getByRole('textbox', { name: 'End time' }).fill('0:06')
  const address = `${new URL(page.url()).origin}/video/${id}/?t=4&end=6`
  await expect(dialog.getByText(address, { exact: true })).toBeVisible()

  await page.context().clearCookies()
  for (const path of [address, `/embed/${id}?autoplay=1&t=4&end=6`]) {
    await page.goto(path)
    await untilPlaying(page, 4)
    await expect.poll(async () => (await videoState(page)).paused, { timeout: 60_000 }).toBe(true)
    expect((await videoState(page)).currentTime).toBeGreaterThan(5.8)
    expect((await videoState(page)).currentTime).toBeLessThan(7)
    await page.getByRole('button', { name: 'Play', exact: true }).first().click()
    await untilPlaying(page, 7)
  }
})
