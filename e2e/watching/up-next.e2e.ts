import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Up next' })
const playAgain = (page: Page) => page.getByRole('button', { name: 'Play again' })

/** Publishes videos with the same title, which shares no word with others. */
async function publishAlike(page: Page, count: number) {
  const title = `w${randomBytes(5).toString('hex')}`
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push(await publish(page, title))
  return ids
}

test('without autoplay the end of a video offers the next one and a replay, and Shift+N opens it', async ({
  page,
}) => {
  await signIn(page)
  const [first, second] = await publishAlike(page, 2)
  await page.goto(`/video/${first}`)
  await expect(page.getByRole('switch', { name: 'Autoplay' })).toHaveAttribute('aria-checked', 'false')
  await page.getByRole('region', { name: 'Recommended videos' }).getByRole('article').waitFor()
  await card(page).getByRole('link', { name: 'Next' }).waitFor()
  // gone while the two seconds are played again
  const hidden = card(page).waitFor({ state: 'detached' })
  await card(page).getByRole('button', { name: 'Replay' }).click()
  await hidden
  await playAgain(page).waitFor()
  await expect(card(page).getByRole('link', { name: 'Next' })).toHaveAttribute('href', `/video/${second}`)
  await page.keyboard.press('Shift+N')
  await page.waitForURL(`**/video/${second}`)
})

test('with autoplay the next unfinished video opens after a countdown that Escape stops @nightly', async ({
  page,
}) => {
  await signIn(page)
  const [first, second, third] = await publishAlike(page, 3)
  await page.goto(`/video/${first}`)
  const autoplay = page.getByRole('switch', { name: 'Autoplay' })
  await autoplay.click()
  await expect(autoplay).toHaveAttribute('aria-checked', 'true')
  await card(page).getByText('Up next in').waitFor()
  await page.getByRole('status').filter({ hasText: 'Up next: “w' }).waitFor({ state: 'attached' })
  // the focus stays where it was
  await expect(autoplay).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card(page)).toHaveCount(0)

  // remembered, like other settings of the player
  await page.reload()
  await expect(autoplay).toHaveAttribute('aria-checked', 'true')
  await card(page).getByText('Up next in').waitFor()
  const opened = [first]
  for (let step = 0; step < 2; step += 1) {
    const before = page.url()
    await page.waitForURL((url) => url.href !== before)
    opened.push(page.url().split('/').at(-1) ?? '')
  }
  // each video once, although each recommends the others
  expect(new Set(opened).size).toBe(3)
  expect([second, third]).toContain(opened[1])
})

test('the countdown rests while a comment is written, and Shift+N and Shift+P move on and back @nightly', async ({
  page,
}) => {
  await signIn(page)
  const [first, second] = await publishAlike(page, 2)
  await page.addInitScript(() =>
    localStorage.setItem('kinora.player', JSON.stringify({ autoplaysNext: true, isMuted: true })),
  )
  await page.goto(`/video/${first}`)
  await page.getByRole('textbox', { name: 'Add a comment' }).fill('A half sentence')
  const when = card(page).getByText('Up next in 5')
  await when.waitFor()
  const box = page.getByRole('textbox', { name: 'Add a comment' })
  expect(await findViolations(page)).toEqual([])
  await expect(when).toBeVisible()
  await box.blur()
  await card(page).getByText('Up next in 4').waitFor()
  await page.keyboard.press('Shift+N')
  await page.waitForURL(`**/video/${second}`)
  // keys act once the player of the second video is there
  await expect(async () => {
    await page.keyboard.press('Shift+P')
    await expect(page).toHaveURL(new RegExp(`/video/${first}$`), { timeout: 2000 })
  }).toPass()
})
