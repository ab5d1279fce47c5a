import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const titles = (page: Page) => page.getByRole('main').getByRole('article').getByRole('heading')
const dialog = (page: Page) => page.getByRole('dialog')

test('an owner says what the channel is about and pins a video, and others see it', async ({
  page,
  newVisitor,
}) => {
  const owner = await signIn(page)
  await publish(page, 'First light')
  await publish(page, 'Second light')
  await page.goto(`/c/${owner.username}`)
  await page.getByRole('link', { name: 'Customize channel' }).click()
  const form = page.getByRole('region', { name: 'Customize channel' })
  await form.getByLabel('About').fill('Salt pans.\nMore at https://example.com/more')
  await form.getByLabel('Links').fill('mailto:a@example.org')
  await form.getByLabel('Pinned video').selectOption({ label: 'First light' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toContainText('is not the address of a website')
  await expect(form.getByLabel('Links')).toBeFocused()
  expect(await findViolations(page)).toEqual([])
  await form.getByLabel('Links').fill('example.com/salt\nhttps://www.example.org')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('status')).toHaveText('Saved')

  const visitor = await newVisitor()
  await signIn(visitor)
  await visitor.goto(`/c/${owner.username}`)
  await expect(visitor.getByRole('region', { name: 'Pinned' }).getByRole('heading', { level: 3 })).toHaveText(
    ['Pinned', 'First light'],
  )
  await expect(titles(visitor)).toHaveText(['First light', 'Second light', 'First light'])
  await expect(visitor.getByText(/^2 videos · Joined \w+ \d{4}/)).toBeVisible()
  expect(await visitor.getByRole('link', { name: 'Customize channel' }).count()).toBe(0)
  await visitor.getByRole('button', { name: 'About this channel' }).click()
  await expect(dialog(visitor).getByRole('link')).toHaveText([
    'https://example.com/more',
    'example.com/salt',
    'example.org',
  ])
  await expect(dialog(visitor).getByRole('link', { name: 'example.com/salt' })).toHaveAttribute(
    'href',
    'https://example.com/salt',
  )
  expect(await findViolations(visitor)).toEqual([])
})

test('the videos of a channel are found and sorted, and its public playlists shown @nightly', async ({
  page,
}) => {
  const { username } = await signIn(page)
  await publish(page, 'A heron')
  await publish(page, 'Two herons')
  await publish(page, 'The tide')
  for (const [title, visibility] of [
    ['At dawn', 'public'],
    ['Not yet', 'private'],
  ])
    await page.request.post(`${apiPrefix}/playlists`, { data: { title, visibility } })

  await page.goto(`/c/${username}`)
  await expect(titles(page)).toHaveText(['The tide', 'Two herons', 'A heron'])
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest')
  await expect(titles(page)).toHaveText(['A heron', 'Two herons', 'The tide'])
  await page.getByLabel('Find in this channel').fill('HERON')
  await expect(titles(page)).toHaveText(['A heron', 'Two herons'])
  await page.getByLabel('Find in this channel').fill('zzz')
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await page.getByRole('button', { name: 'Playlists' }).click()
  await expect(page.getByRole('main').getByRole('link', { name: 'At dawn' })).toBeVisible()
  expect(await page.getByText('Not yet').count()).toBe(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Playlists' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('main').getByRole('link', { name: 'At dawn' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest')
  await expect(titles(page)).toHaveText(['The tide', 'Two herons', 'A heron'])
})

test('owners reach the studio from their channel and their videos @nightly', async ({ page, newVisitor }) => {
  const { username } = await signIn(page)
  const id = await publish(page, 'The tide')
  const linkTo = (shown: Page, name: string) =>
    shown.getByRole('main').getByRole('link', { name, exact: true })
  await page.goto(`/c/${username}`)
  await expect(linkTo(page, 'Analytics')).toHaveAttribute('href', '/studio/analytics')
  await page.goto(`/video/${id}`)
  await expect(linkTo(page, 'Edit')).toHaveAttribute('href', `/studio/${id}`)
  await expect(linkTo(page, 'Analytics')).toHaveAttribute('href', `/studio/${id}/analytics`)
  await expect(page.getByRole('button', { name: 'Subscribe', exact: true })).toBeVisible()

  const visitor = await newVisitor()
  await signIn(visitor)
  await visitor.goto(`/video/${id}`)
  await visitor.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
  expect(await linkTo(visitor, 'Edit').count()).toBe(0)
  expect(await linkTo(visitor, 'Analytics').count()).toBe(0)
})
