import { findAccessibilityIssues, findViolations } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, signIn } from '../fixtures/users.ts'

test('the feed lists videos of subscribed channels, with a dot for those since the last visit', async ({
  page,
  newVisitor,
}) => {
  const creatorPage = await newVisitor()
  const creator = await signIn(creatorPage)
  await signIn(page)
  await page.goto('/feed')
  await page.getByText('Not subscribed to anyone yet').waitFor()
  await page.request.post(`/api/v1/sub/channel/${creator.username}`)
  await publish(creatorPage, 'Harbour')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  const main = page.getByRole('navigation', { name: 'Main' })
  const feed = main.getByRole('link', { name: 'Subscriptions' })
  await feed.click()
  const videos = page.getByRole('region', { name: 'New videos' })
  const isNew = videos.getByText('New since your last visit')
  const entry = videos.getByRole('article').filter({ hasText: 'Harbour' })
  await entry.waitFor()
  await isNew.waitFor()
  expect(await findViolations(page)).toEqual([])
  // seen, though not watched
  await page.reload()
  await entry.waitFor()
  await expect(feed).not.toHaveAccessibleDescription('Something new')
  await expect(isNew).toHaveCount(0)

  await publish(creatorPage, 'Lighthouse')
  await page.goto('/')
  await expect(feed).toHaveAccessibleDescription('Something new')
  expect(await findViolations(page)).toEqual([])
  await feed.click()
  await videos.getByRole('article').filter({ hasText: 'Lighthouse' }).waitFor()
  await isNew.waitFor()
  await expect(feed).not.toHaveAccessibleDescription('Something new')
})

test('a feed reader follows the feed by its secret address @nightly', async ({ page, newVisitor }) => {
  const channel = await createAccount(page)
  await signIn(page)
  await page.request.post(`/api/v1/sub/channel/${channel.username}`)
  await page.goto('/feed')
  await page.getByText('RSS', { exact: true }).click()
  await page.getByRole('button', { name: 'Create address' }).click()
  await page.getByText('Address created').waitFor()
  const address = await page.getByText('/feeds/subscriptions/').innerText()
  const feedReader = await newVisitor()
  expect((await feedReader.request.get(address)).headers()['content-type']).toContain('rss+xml')
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Remove address' }).click()
  await page.getByText('Address removed').waitFor()
  expect((await feedReader.request.get(address)).status()).toBe(404)
})

test('followed channels are sorted into groups, which filter the feed @nightly', async ({
  page,
  newVisitor,
}) => {
  const [first, second] = [await newVisitor(), await newVisitor()]
  const [salt, tide] = [
    await signIn(first, await createAccount(first, newUser('Salt works'))),
    await signIn(second, await createAccount(second, newUser('Tide tables'))),
  ]
  await publish(first, 'Salt')
  await publish(second, 'Tide')
  await signIn(page)
  for (const { username } of [salt, tide])
    expect((await page.request.post(`/api/v1/sub/channel/${username}`)).ok()).toBe(true)
  const dialog = page.getByRole('dialog')
  const titles = page.getByRole('main').getByRole('article').getByRole('heading')
  const groups = page.getByRole('navigation', { name: 'Channel groups' })
  await page.goto('/feed')
  await expect(titles).toHaveText(['Tide', 'Salt'])

  await page.getByRole('button', { name: 'New group' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Name is required')
  await dialog.getByLabel('Name').fill('Coast')
  await dialog.getByLabel('Salt works').check()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(groups.getByRole('link', { name: 'Coast' })).toHaveAttribute('aria-current', 'true')
  await expect(titles).toHaveText(['Salt'])
  expect(await findAccessibilityIssues(page)).toEqual([])

  await page.getByRole('button', { name: 'Edit group' }).click()
  await expect(dialog.getByLabel('Salt works')).toBeChecked()
  await dialog.getByLabel('Salt works').uncheck()
  await dialog.getByLabel('Tide tables').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(titles).toHaveText(['Tide'])
  await page.reload()
  await expect(titles).toHaveText(['Tide'])
  await groups.getByRole('link', { name: 'All channels' }).click()
  await expect(titles).toHaveText(['Tide', 'Salt'])

  await groups.getByRole('link', { name: 'Coast' }).click()
  await page.getByRole('button', { name: 'Edit group' }).click()
  await dialog.getByRole('button', { name: 'Delete group' }).click()
  await expect(groups).toHaveCount(0)
  await expect(titles).toHaveText(['Tide', 'Salt'])
})
