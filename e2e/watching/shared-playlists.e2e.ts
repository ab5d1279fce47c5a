import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { urlOf } from '@kinora/contract/client.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { longClip, publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

/** 18:00 of the next Friday, as a field for date and time takes it. */
function nextFriday(): string {
  const day = new Date()
  day.setDate(day.getDate() + ((5 - day.getDay() + 7) % 7 || 7))
  const [month, date] = [day.getMonth() + 1, day.getDate()].map((each) => String(each).padStart(2, '0'))
  return `${day.getFullYear()}-${month}-${date}T18:00`
}

test('a class watches the lessons of a playlist by a link with a password, which ends on Friday', async ({
  page,
  newVisitor,
  site,
}) => {
  await signIn(page)
  const created = await page.request.post(apiPrefix + createPlaylist.path, { data: { title: 'Fractions' } })
  const playlistId: string = (await created.json()).data._id
  for (const title of ['Halves', 'Quarters']) {
    const id = await publish(page, title, { video: await longClip() })
    await page.request.patch(urlOf(changeOwnVideo, { id }), { data: { visibility: 'private' } })
    await page.request.put(`${apiPrefix}/playlists/${playlistId}/videos/${id}`)
  }
  await page.goto(`/playlist/${playlistId}`)
  await page.getByRole('button', { name: 'Share links', exact: true }).click()
  await page.getByRole('button', { name: 'Create a share link' }).click()
  await page.getByLabel('Who gets it').fill('Class 4b')
  await page.getByLabel('Password (optional)').fill('seagull')
  await page.getByLabel('Ends (optional)').fill(nextFriday())
  expect(await findAccessibilityIssues(page)).toEqual([])
  const response = page.waitForResponse(
    (each) => each.url().endsWith('/share-links') && each.ok() && each.request().method() === 'POST',
  )
  await page.getByRole('button', { name: 'Create link' }).click()
  const { data } = (await (await response).json()) as { data: { _id: string; secret: string } }
  await expect(page.getByText(/with a password · ends /)).toBeVisible()

  const pupil = await newVisitor()
  await pupil.goto(`/shared#${data.secret}`)
  await pupil.getByLabel('Password').fill('pelican')
  await pupil.keyboard.press('Enter')
  await pupil.getByRole('alert').filter({ hasText: 'This password is wrong' }).first().waitFor()
  await pupil.getByLabel('Password').fill('seagull')
  await pupil.keyboard.press('Enter')
  await pupil.getByRole('heading', { name: 'Fractions' }).waitFor()
  expect(await findAccessibilityIssues(pupil)).toEqual([])
  await pupil.getByRole('link', { name: 'Quarters' }).click()
  const video = pupil.locator('video')
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.5)

  // on Friday evening
  await site.runStatement(
    `update share_links set expires_at = now() - interval '1 second' where id = '${data._id}'`,
  )
  await pupil.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  const ended = pupil.getByRole('heading', { name: 'This link does not work any more' })
  await expect(ended).toBeVisible({ timeout: 40_000 })
  await expect(video).toHaveCount(0)
  await pupil.reload()
  await expect(ended).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Share links', exact: true }).click()
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
})
