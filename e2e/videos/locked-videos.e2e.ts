import { randomBytes } from 'node:crypto'
import { urlOf } from '@kinora/contract/client.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { longClip, publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('a private video is listed with a lock, and opens on its channel with the password', async ({
  page,
  newVisitor,
}) => {
  const { username } = await signIn(page)
  const title = `Rehearsal ${randomBytes(4).toString('hex')}`
  const id = await publish(page, title, { video: await longClip() })
  await page.request.patch(urlOf(changeOwnVideo, { id }), { data: { visibility: 'private' } })
  await page.goto(`/studio/${id}`)
  await page.getByRole('button', { name: 'Create a share link' }).click()
  await page.getByLabel('Who gets it').fill('The choir')
  await page.getByLabel('Password (optional)').fill('alto')
  await page.getByLabel('List the video with a lock').check()
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByText(/listed with a lock/)).toBeVisible()

  const viewer = await newVisitor()
  await viewer.goto('/locked')
  await viewer.getByRole('link', { name: title }).waitFor()
  expect(await findAccessibilityIssues(viewer)).toEqual([])
  await signIn(viewer)
  await viewer.goto(`/c/${username}/videos`)
  const locked = viewer.getByRole('region', { name: 'With a password' })
  await locked.getByRole('link', { name: title }).click()
  await viewer.getByLabel('Password', { exact: true }).fill('tenor')
  await viewer.keyboard.press('Enter')
  await viewer.getByRole('alert').filter({ hasText: 'This password is wrong' }).first().waitFor()
  expect(await findAccessibilityIssues(viewer)).toEqual([])
  await viewer.getByLabel('Password', { exact: true }).fill('alto')
  await viewer.keyboard.press('Enter')
  const video = viewer.locator('video')
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.5)

  // without the link it is as private as before
  await page.getByRole('button', { name: 'Revoke the link for The choir' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The link for The choir is revoked.').waitFor()
  const profile = viewer.waitForResponse((each) => each.url().endsWith(`/channels/${username}`))
  await viewer.goto(`/c/${username}/videos`)
  await profile
  await viewer.getByText('The videos they publish appear here.').waitFor()
  await expect(locked).toHaveCount(0)
})
