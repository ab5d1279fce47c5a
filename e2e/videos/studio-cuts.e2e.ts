import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { longClip, publish } from '../fixtures/clips.ts'
import { untilPlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

/** Duration of the video that the player of a page shows. */
const duration = (page: Page) =>
  page.locator('video').evaluate((video) => (video as HTMLVideoElement).duration)

async function goTo(page: Page, time: string): Promise<void> {
  await page.getByLabel('Go to').fill(time)
  await page.getByLabel('Go to').press('Enter')
  await page.getByRole('slider', { name: 'Position' }).focus()
}

test('parts are removed by keyboard and by mouse, previewed, published, and come back', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page)
  const id = await publish(page, randomUUID(), { video: await longClip() })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  expect(await duration(page)).toBeCloseTo(30, 0)
  await page.goto(`/studio/${id}`)
  await page.getByRole('link', { name: 'Cut', exact: true }).click()
  await page.waitForURL(`**/studio/${id}/cut`)
  const line = page.getByRole('slider', { name: 'Position' })
  await line.waitFor()
  // the picture is there without playing
  await expect.poll(async () => (await videoState(page)).videoHeight).toBeGreaterThan(0)
  expect((await videoState(page)).paused).toBe(true)

  // the first four seconds, by keyboard
  await goTo(page, '0:04')
  await page.keyboard.press('o')
  await page.keyboard.press('x')
  await expect(page.getByLabel('End of removed part 1')).toHaveValue('0:04.000')

  // ten to sixteen seconds, by mouse
  const box = await line.boundingBox()
  if (!box) throw new Error('The timeline is not shown')
  const at = (seconds: number) => box.x + (seconds / 30) * box.width
  await page.mouse.move(at(10), box.y + box.height + 20)
  await page.mouse.down()
  await page.mouse.move(at(13), box.y + box.height + 20)
  await page.mouse.move(at(16), box.y + box.height + 20)
  await page.mouse.up()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByLabel('Start of removed part 2').fill('0:10')
  await page.getByLabel('Start of removed part 2').press('Enter')
  await page.getByLabel('End of removed part 2').fill('0:16')
  await page.getByLabel('End of removed part 2').press('Enter')
  await page.getByText('0:20.0 of 0:30.0, without 2 parts').waitFor()
  expect(await findViolations(page)).toEqual([])

  // the preview plays over what is removed
  await page.getByRole('button', { name: 'Play without part 2' }).click()
  const seen = await untilPlaying(page, 8.5)
  expect(seen).toBeLessThan(10.2)
  expect(await untilPlaying(page, 10.4)).toBeGreaterThan(15.9)
  await page.getByRole('button', { name: 'End the preview' }).click()

  await page.getByRole('button', { name: 'Publish the cut' }).click()
  await page.getByRole('status').filter({ hasText: 'Published' }).waitFor()

  // also in the browser that has played the whole video a moment ago
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  expect(await duration(page)).toBeCloseTo(20, 0)
  await page.locator('video').evaluate((video) => {
    ;(video as HTMLVideoElement).currentTime = 5
  })
  // over the join
  await untilPlaying(page, 7)

  await page.goto(`/studio/${id}/cut`)
  await expect(page.getByLabel('End of removed part 2')).toHaveValue('0:16.000')
  await page.getByRole('button', { name: 'Undo the cut' }).click()
  await page.getByText('Nothing is removed yet.').waitFor()
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  expect(await duration(page)).toBeCloseTo(30, 0)
})

test('what was cut is deleted for good, and the video plays on from the rest', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page)
  const id = await publish(page, randomUUID(), { video: await longClip() })
  await page.goto(`/studio/${id}/cut`)
  await page.getByRole('slider', { name: 'Position' }).waitFor()
  await goTo(page, '0:04.4')
  await page.keyboard.press('o')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Publish the cut' }).click()
  await page.getByRole('button', { name: 'Delete what was cut…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete what was cut?' })
  await dialog.getByText('can’t be undone').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('Nothing is removed yet.').waitFor({ timeout: 60_000 })
  await expect(page.getByRole('button', { name: 'Undo the cut' })).toHaveCount(0)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  expect(await duration(page)).toBeCloseTo(25.6, 0)
})
