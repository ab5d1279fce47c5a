import { longClip, publish } from '../fixtures/clips.ts'
import { pauseOncePlaying, publishLongClip, untilPlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('an address plays a part of a video, and the player continues beyond it', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}?t=0:04`)
  await pauseOncePlaying(page)
  await page.locator('video').evaluate((video) => void ((video as HTMLVideoElement).currentTime = 4.5))
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

test('a viewer makes a clip, a stranger watches exactly that, and the owner removes it', async ({
  page: ownerPage,
  newVisitor,
}) => {
  await signIn(ownerPage)
  const id = await publish(ownerPage, 'The long turn', { video: await longClip() })
  const viewer = await newVisitor()
  await signIn(viewer)
  await viewer.goto(`/video/${id}?t=8`)
  await pauseOncePlaying(viewer)
  await viewer.getByRole('button', { name: 'More actions', description: 'The long turn' }).click()
  await viewer.getByRole('button', { name: 'Clip', exact: true }).click()
  const panel = viewer.getByRole('region', { name: 'Make a clip' })
  await panel.getByRole('textbox', { name: 'Start of the clip' }).fill('0:10')
  await viewer.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Preview' }).click()
  await untilPlaying(viewer, 10)
  await viewer.locator('video').evaluate((video) => {
    const media = video as HTMLVideoElement
    media.pause()
    media.currentTime = 13
  })
  // by the key, which does nothing else then
  await panel.getByRole('heading').click()
  await viewer.keyboard.press('o')
  await expect(panel.getByRole('textbox', { name: 'End of the clip' })).toHaveValue('0:13.0')
  await panel.getByRole('textbox', { name: 'Title of the clip' }).fill('Three seconds')
  await panel.getByRole('button', { name: 'Make clip' }).click()
  await viewer.waitForURL(/\/clip\/[\w-]+$/)
  const address = viewer.url()

  const stranger = await newVisitor()
  await stranger.goto(address)
  await expect(stranger.getByRole('heading', { level: 1, name: 'Three seconds' })).toBeVisible()
  await untilPlaying(stranger, 10)
  await expect(stranger.getByRole('button', { name: 'Play again' }).first()).toBeVisible({ timeout: 60_000 })
  const state = await videoState(stranger)
  expect([state.paused, state.currentTime > 12.8 && state.currentTime < 14]).toEqual([true, true])
  await expect(stranger.getByText('/ 00:03')).toBeVisible()
  // beyond both ends
  await stranger.keyboard.press('End')
  await stranger.getByRole('slider', { name: 'Seek' }).focus()
  await stranger.keyboard.press('Home')
  await expect.poll(async () => (await videoState(stranger)).currentTime).toBeLessThan(11.5)
  expect((await videoState(stranger)).currentTime).toBeGreaterThanOrEqual(9.9)
  await expect(stranger.getByRole('link', { name: 'Watch from here' })).toHaveAttribute(
    'href',
    `/video/${id}?t=10`,
  )
  await stranger.goto(address.replace('/clip/', '/embed/clip/') + '?autoplay=1')
  await untilPlaying(stranger, 10)
  await expect.poll(async () => (await videoState(stranger)).paused, { timeout: 60_000 }).toBe(true)
  expect((await videoState(stranger)).currentTime).toBeLessThan(14)

  await ownerPage.goto('/studio/clips')
  await ownerPage.getByRole('button', { name: 'More actions: Three seconds' }).click()
  await ownerPage.getByRole('button', { name: 'Remove…' }).click()
  await ownerPage.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(ownerPage.getByText('The clip is removed.')).toBeVisible()
  await stranger.goto(address)
  await expect(stranger.getByText('This clip isn’t available any more')).toBeVisible()
})
