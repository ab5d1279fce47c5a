import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('a marked video is blurred until a click, and left out for an account that chose so', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  await publish(page, 'Salt flats at dawn')
  const title = 'Heart valve, close up'
  const id = await publish(page, title)
  await page.goto(`/studio/${id}`)
  await page.getByLabel('Sensitive content').check()
  await page.getByLabel('What viewers should know').fill('Surgery')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  const visitor = await newVisitor()
  await visitor.goto('/')
  const card = visitor.getByRole('article').filter({ hasText: title })
  await expect(card.getByText('Surgery')).toBeVisible()
  await expect(card.locator('img')).toHaveCSS('filter', /blur/)
  await card.getByRole('button', { name: 'Reveal' }).click()
  await expect(card.locator('img')).toHaveCSS('filter', 'none')

  await visitor.goto(`/video/${id}`)
  const cover = visitor.getByRole('region', { name: 'Sensitive content' })
  await expect(cover.getByText('Surgery')).toBeVisible()
  await expect(visitor.locator('video')).toHaveCount(0)
  await cover.getByRole('button', { name: 'Watch anyway' }).click()
  await expect
    .poll(() => visitor.locator('video').evaluate((each: HTMLVideoElement) => each.currentTime))
    .toBeGreaterThan(0)
  await visitor.goto(`/embed/${id}`)
  await expect(visitor.getByRole('button', { name: 'Watch anyway' })).toBeVisible()

  await signIn(visitor)
  await visitor.goto('/account/language')
  await visitor.getByLabel('Videos with sensitive content').selectOption('Leave out of lists')
  await visitor.getByLabel('Languages that you understand').selectOption('German')
  await visitor.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(visitor.getByText('Saved', { exact: true })).toBeVisible()
  await visitor.goto('/')
  await expect(visitor.getByRole('article').first()).toBeVisible()
  await expect(card).toHaveCount(0)
})
