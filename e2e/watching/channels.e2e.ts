import type { Locator } from 'playwright-core'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, signIn } from '../fixtures/users.ts'

const isAt = (path: string) => (url: URL) => url.pathname === path

test('tabs of the owner are not found for others, and Go Back skips them @nightly', async ({ page }) => {
  const me = await signIn(page)
  const other = await createAccount(page)
  for (const tab of [
    'dashboard',
    'dashboard/upload',
    'dashboard/delete/x',
    'history',
    'edit',
    '../nobodyatall',
  ]) {
    await page.goto('/about')
    await page.goto(`/c/${other.username}/${tab}`)
    await page.waitForURL(isAt('/notfound'))
    await page.getByRole('button', { name: 'Go Back' }).click()
    await page.waitForURL(isAt('/about'))
  }
  await page.goto(`/c/${me.username.toUpperCase()}/edit`)
  await page.getByRole('form', { name: 'Details' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/c/${me.username.toUpperCase()}/edit`)
})

test('the first thumbnail of a channel shows before scripts run and is fetched once', async ({ page }) => {
  const { username } = await signIn(page)
  await publish(page, 'A still that comes first')
  const fetched: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'image') fetched.push(request.url())
  })
  let run = () => {}
  const held = new Promise<void>((resolve) => (run = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  /** The URL an image has loaded. */
  const fileOf = async (image: Locator) =>
    image.evaluate(async (element) => {
      if (!(element instanceof HTMLImageElement)) return ''
      await element.decode()
      return element.currentSrc
    })
  await page.goto(`/c/${username}/videos`, { waitUntil: 'commit' })
  const first = await fileOf(page.locator('[data-skeleton="video-card"] img'))
  expect(first).toContain('/media/pictures/')
  run()
  expect(await fileOf(page.getByRole('article').locator('img').first())).toBe(first)
  expect(fetched.filter((url) => url === first)).toHaveLength(1)
})
