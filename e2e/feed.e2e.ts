import { AxeBuilder } from '@axe-core/playwright'
import { publish } from './fixtures/clips.ts'
import { expect, test } from './fixtures/test.ts'
import { signIn } from './fixtures/users.ts'

test('the feed lists videos of subscribed channels, with a dot until they are watched', async ({
  page,
  newVisitor,
}) => {
  const creatorPage = await newVisitor()
  const creator = await signIn(creatorPage)
  await signIn(page)
  await page.goto('/feed')
  await page.getByText('Nothing new yet').waitFor()
  await page.request.post(`/api/v1/sub/channel/${creator.username}`)
  const id = await publish(creatorPage, 'Harbour')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('link', { name: 'Feed', exact: true }).click()
  const entry = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Harbour' }) })
  await entry.getByText('Not watched yet').waitFor({ state: 'attached' })
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes[0]?.html}`)).toEqual([])
  await page.request.patch(`/api/v1/users/updatehistory/${id}`)
  await page.reload()
  await entry.waitFor()
  expect(await entry.getByText('Not watched yet').count()).toBe(0)
})

test('a feed reader follows the feed by its secret address', async ({ page, newVisitor }) => {
  await signIn(page)
  await page.goto('/feed')
  await page.getByText('RSS', { exact: true }).click()
  await page.getByRole('button', { name: 'Create address' }).click()
  await page.getByText('Address created').waitFor()
  const address = await page.getByText('/feeds/subscriptions/').innerText()
  const feedReader = await newVisitor()
  expect((await feedReader.request.get(address)).headers()['content-type']).toContain('rss+xml')
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes[0]?.html}`)).toEqual([])

  await page.getByRole('button', { name: 'Remove address' }).click()
  await page.getByText('Address removed').waitFor()
  expect((await feedReader.request.get(address)).status()).toBe(404)
})
