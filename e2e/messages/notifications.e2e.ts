import { findViolations } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('the bell rings without a reload when a followed channel publishes @nightly', async ({
  page,
  newVisitor,
}) => {
  const creatorPage = await newVisitor()
  const creator = await signIn(creatorPage)
  await signIn(page)
  await page.request.post(`/api/v1/sub/channel/${creator.username}`)
  const rings = page.waitForResponse('**/api/v1/events')
  await page.goto('/')
  const bell = page.getByRole('link', { name: 'Notifications' })
  await bell.waitFor()
  await rings
  await publish(creatorPage, 'Harbour')
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).click()
  await page.waitForURL('**/notifications')
  const item = page.getByRole('listitem').filter({ hasText: 'published Harbour' })
  await item.getByText('Unread').waitFor({ state: 'attached' })
  expect(await findViolations(page)).toEqual([])
  await item.getByRole('link').click()
  await page.waitForURL('**/video/*')
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
})

test('a long title leaves the rest of a notification visible @nightly', async ({ page, newVisitor }) => {
  await signIn(page)
  const id = await publish(page, 'Meadow '.repeat(20))
  const viewerPage = await newVisitor()
  await signIn(viewerPage)
  await viewerPage.request.post('/api/v1/comment/add', { data: { videoId: id, content: 'What a light' } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/notifications')
  const title = page.getByRole('listitem').filter({ hasText: 'commented on' }).locator('b').last()
  await expect(title).toContainText('Meadow')
  const lines = await title.evaluate(
    (element) =>
      element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight),
  )
  expect(Math.round(lines)).toBe(2)
})

test('a comment and a subscriber appear without a reload, are marked as read, and a kind is switched off', async ({
  page,
  newVisitor,
}) => {
  const creator = await signIn(page)
  const id = await publish(page, 'Meadow')
  const rings = page.waitForResponse('**/api/v1/events')
  await page.goto('/notifications')
  await rings
  const viewerPage = await newVisitor()
  await signIn(viewerPage)
  const comment = (content: string) =>
    viewerPage.request.post('/api/v1/comment/add', { data: { videoId: id, content } })
  await viewerPage.request.post(`/api/v1/sub/channel/${creator.username}`)
  await comment('What a light')
  const items = page.getByRole('main').getByRole('listitem')
  await items.filter({ hasText: 'subscribed to your channel' }).waitFor()
  await items.filter({ hasText: 'commented on Meadow' }).filter({ hasText: 'What a light' }).waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()

  await page.getByRole('link', { name: 'Notification settings' }).click()
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/notifications/settings') && response.request().method() === 'PUT',
  )
  const comments = page.getByRole('main').getByLabel('Comments on your videos')
  // not uncheck(), which requires the new state at once: React shows it with the next render
  await comments.click()
  await expect(comments).not.toBeChecked()
  await saved
  await comment('Not notified')
  await page.goto('/notifications')
  await items.filter({ hasText: 'What a light' }).waitFor()
  expect(await items.filter({ hasText: 'Not notified' }).count()).toBe(0)
})
