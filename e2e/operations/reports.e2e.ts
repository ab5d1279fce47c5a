import type { Page } from 'playwright-core'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

async function sendReport(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: reason }).check()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByRole('status').filter({ hasText: 'Thank you' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
}

test('a reported video is taken down from the queue, and its owner reads why and answers', async ({
  page,
  newVisitor,
  site,
}) => {
  const me = await signIn(page)
  await site.runCommand('user', 'role', me.username, '--to', 'moderator')
  const owner = await newVisitor()
  const { username } = await signIn(owner)
  const title = `Borrowed music ${username}`
  const id = await publish(owner, title)
  await owner.request.post('/api/v1/comment/add', { data: { videoId: id, content: `Cheap ${username}` } })
  const viewer = await newVisitor()
  await signIn(viewer)

  await viewer.goto(`/video/${id}`)
  await viewer.getByRole('button', { name: 'More actions', description: title }).click()
  await viewer.getByRole('button', { name: 'Report', exact: true }).click()
  expect(await findAccessibilityIssues(viewer)).toEqual([])
  await sendReport(viewer, 'Somebody else’s work')
  const comment = viewer.getByRole('article').filter({ hasText: `Cheap ${username}` })
  await comment.getByRole('button', { name: 'More actions' }).click()
  await comment.getByRole('button', { name: 'Report' }).click()
  await sendReport(viewer, 'Spam')
  await viewer.goto(`/c/${username}`)
  await viewer.locator('main header').getByRole('button', { name: 'More actions' }).click()
  await viewer.getByRole('button', { name: 'Report', exact: true }).click()
  await viewer.getByRole('dialog').getByRole('button', { name: 'Send report' }).click()
  await viewer.getByRole('alert').filter({ hasText: 'Choose a reason' }).waitFor()
  await sendReport(viewer, 'Something else')
  await owner.goto(`/video/${id}`)
  await owner.getByRole('button', { name: 'More actions', description: title }).click()
  await owner.getByRole('button', { name: 'Save to playlist' }).waitFor()
  await expect(owner.getByRole('button', { name: 'Report', exact: true })).toHaveCount(0)

  // by keyboard alone, from the first action of the list on
  await page.goto('/administration/reports')
  const entries = page.getByRole('listitem').filter({ has: page.getByRole('article') })
  const entry = entries.filter({ hasText: title })
  await entry.getByRole('button', { name: 'Dismiss' }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await entry.getByRole('button', { name: 'Dismiss' }).focus()
  await page.keyboard.press('r')
  await page.getByRole('dialog').getByLabel('Reason').waitFor()
  await page.keyboard.type('The music is not yours')
  await page.getByRole('dialog').getByRole('button', { name: 'Take down' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'those concerned are notified' }).waitFor()
  await expect(entry).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveRole('listitem')
  await page.keyboard.press('d')
  await page.getByRole('status').filter({ hasText: 'Dismissed' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
  expect((await viewer.request.get(`/api/v1/video/${id}`)).status()).toBe(404)

  await viewer.goto('/notifications')
  await viewer.getByRole('link', { name: 'Moderators removed the video' }).click()
  await viewer.getByRole('heading', { name: 'The video was taken down' }).waitFor()
  await owner.goto('/notifications')
  await owner.getByRole('link', { name: 'Moderators removed your video' }).click()
  await owner.waitForURL(/\/report\//)
  await owner.getByRole('heading', { level: 1 }).waitFor()
  await owner.getByText('The music is not yours').waitFor()
  expect(await findAccessibilityIssues(owner)).toEqual([])
  await owner.getByLabel('Answer').fill('I have a licence')
  await owner.getByRole('button', { name: 'Send answer' }).click()
  await owner.getByRole('heading', { name: 'Your answer' }).waitFor()

  await page.getByLabel('Show', { exact: true }).selectOption('answered')
  await entry.getByText('I have a licence').waitFor()
  await entry.getByRole('button', { name: 'Put back' }).click()
  await expect(entry).toHaveCount(0)
  expect((await viewer.request.get(`/api/v1/video/${id}`)).status()).toBe(200)
  await owner.reload()
  await owner.getByRole('heading', { name: 'Your video is back' }).waitFor()
})
