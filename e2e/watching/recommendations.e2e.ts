import { randomBytes } from 'node:crypto'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const recommended = (page: Page) => page.getByRole('region', { name: 'Recommended videos' })
const more = (page: Page) => page.getByRole('region', { name: 'More to watch' })
const cardOf = (page: Page, videoId: string) =>
  page.getByRole('article').filter({ has: page.locator(`h3 a[href="/video/${videoId}"]`) })

test('recommends beyond the words of the title, and says why', async ({ page }) => {
  await signIn(page)
  const tag = `t${randomBytes(5).toString('hex')}`
  const word = () => `w${randomBytes(5).toString('hex')}`
  const seed = await publish(page, word(), { description: `About #${tag}` })
  const tagged = [
    await publish(page, word(), { description: `Also about #${tag}` }),
    await publish(page, word(), { description: `Still about #${tag}` }),
  ]
  const other = await publish(page, word())
  await page.goto(`/video/${seed}`)
  // the specified list has only what the search for the title finds
  await recommended(page).getByText('No recommendations available').waitFor()
  await page.getByRole('button', { name: 'More to watch' }).click()
  await more(page).getByTitle(`Also tagged #${tag}`).first().waitFor()
  // one of them is the next one, above the list
  for (const id of [...tagged, other]) await expect(cardOf(page, id)).toHaveCount(1)
})

test('a video and a channel are dismissed, restored, and stay dismissed on other pages @nightly', async ({
  page,
  newVisitor,
}) => {
  const channel = await newVisitor()
  await signIn(channel)
  const title = `w${randomBytes(5).toString('hex')}`
  const [first, second, third] = [
    await publish(channel, title),
    await publish(channel, title),
    await publish(channel, title),
  ]
  await signIn(page)
  await page.goto(`/video/${first}`)
  const menuOf = (id: string) => cardOf(page, id).getByRole('button', { name: 'More actions' })
  const saved = (method: string) =>
    page.waitForResponse(
      (response) => response.url().includes('/dismissed/') && response.request().method() === method,
    )

  const dismissed = saved('PUT')
  await menuOf(second).click()
  await cardOf(page, second).getByText('Shares words with the title').waitFor()
  await page.getByRole('button', { name: 'Not interested' }).click()
  expect((await dismissed).ok()).toBe(true)
  await expect(cardOf(page, second)).toHaveCount(0)
  const undo = recommended(page).getByRole('button', { name: 'Undo' })
  await expect(undo).toBeFocused()
  const restored = saved('DELETE')
  await page.keyboard.press('Enter')
  expect((await restored).ok()).toBe(true)
  await cardOf(page, second).waitFor()

  const channelDismissed = saved('PUT')
  await menuOf(second).click()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: "Don't recommend channel" }).click()
  expect((await channelDismissed).ok()).toBe(true)
  await expect(cardOf(page, third)).toHaveCount(0)

  await page.reload()
  await recommended(page).getByText('No recommendations available').waitFor()
  // others still get them, and the specified call is the same for everybody
  const found = await page.request.get(`${apiPrefix}/video/search/${title}`)
  expect((await found.json()).data).toHaveLength(3)
  await channel.goto(`/video/${first}`)
  await recommended(channel).getByRole('article').nth(1).waitFor()
})
