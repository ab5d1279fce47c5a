import { findViolations } from '../fixtures/accessibility.ts'
import { longClip, publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('unfinished videos are marked, continued, searched and removed, and a paused history records nothing', async ({
  page,
}) => {
  await signIn(page)
  const harbour = await publish(page, 'Harbour', { video: await longClip() })
  const meadow = await publish(page, 'Meadow')
  await page.request.patch(`/api/v1/users/updatehistory/${meadow}`)
  await page.request.patch(`/api/v1/users/updatehistory/${harbour}`)
  await page.request.put(`/api/v1/users/position/${harbour}`, { data: { positionSeconds: 15 } })

  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: 'Harbour' })
  const progress = card.getByRole('progressbar', { name: 'Watched so far' })
  await progress.waitFor()
  expect(await progress.getAttribute('value')).toBe('15')

  await page.goto('/library')
  const continued = page.getByRole('region', { name: 'Continue watching' })
  await continued.getByRole('link', { name: 'Harbour' }).waitFor()
  expect(await continued.getByRole('article').count()).toBe(1)

  await page.getByRole('link', { name: 'Complete history' }).click()
  await page.waitForURL('**/history')
  const today = page.getByRole('region', { name: 'Today' })
  await expect(today.getByRole('article')).toHaveCount(2)
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Search in your history').fill('mead')
  await expect(today.getByRole('article')).toHaveCount(1)
  await today.getByRole('button', { name: 'Remove Meadow' }).click()
  await page.getByText('Nothing found').waitFor()
  await page.getByLabel('Search in your history').fill('')
  await today.getByRole('link', { name: 'Harbour' }).waitFor()

  await page.getByRole('button', { name: 'Pause history' }).click()
  await page.getByText('Your history is paused.').waitFor()
  await page.getByRole('button', { name: 'Clear history' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByText('Nothing watched yet').waitFor()
  await page.request.patch(`/api/v1/users/updatehistory/${harbour}`)
  await page.reload()
  await page.getByText('Nothing watched yet').waitFor()
  await page.getByRole('button', { name: 'Resume history' }).click()
  await page.getByRole('button', { name: 'Pause history' }).waitFor()
})
