import { randomUUID } from 'node:crypto'
import { findViolations } from '../../fixtures/accessibility.ts'
import { longClip, publish } from '../../fixtures/clips.ts'
import { pauseOncePlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

test('chapters of the description are on the seek bar and in a list that seeks @nightly', async ({
  page,
}) => {
  await signIn(page)
  const description = 'Contents:\n0:00 Ebb\n0:10 Slack water\n0:20 Flood'
  const id = await publish(page, randomUUID(), { video: await longClip(), description })
  await page.goto(`/video/${id}`)
  await pauseOncePlaying(page)
  const list = page.getByRole('region', { name: 'Chapters' })
  const current = list.locator('[aria-current]')
  await expect.poll(() => list.getByRole('link').count()).toBe(3)
  await expect.poll(() => current.textContent()).toBe('00:00 Ebb')

  await list.getByRole('link', { name: 'Ebb' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await videoState(page)).currentTime).toBeGreaterThanOrEqual(10)
  await pauseOncePlaying(page)
  await expect.poll(() => current.textContent()).toBe('00:10 Slack water')
  const seekBar = page.getByRole('slider', { name: 'Seek' })
  expect(await seekBar.getAttribute('aria-valuetext')).toMatch(/ of 30 seconds, Slack water$/)

  await page.getByRole('region', { name: 'Video player' }).hover()
  const box = await seekBar.boundingBox()
  if (!box) throw new Error('the seek bar is not visible')
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2)
  await seekBar.getByText('Flood').waitFor()
  const chapters = await page.evaluate(() => {
    const metadata: (MediaMetadata & { chapterInfo?: { title: string }[] }) | null =
      navigator.mediaSession.metadata
    return metadata?.chapterInfo?.map((chapter) => chapter.title)
  })
  // Older browsers have no chapters in their media session.
  expect(chapters ?? ['Ebb', 'Slack water', 'Flood']).toEqual(['Ebb', 'Slack water', 'Flood'])
  // The timestamps of the description stay links of their own.
  expect(await page.getByRole('main').getByRole('link', { name: '0:20', exact: true }).count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
})

test('a description without a list of times shows no chapters @nightly', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, randomUUID(), { description: 'It turns at 0:01.' })
  await page.goto(`/video/${id}`)
  await page.getByRole('link', { name: '0:01' }).waitFor()
  expect(await page.getByRole('region', { name: 'Chapters' }).count()).toBe(0)
})
