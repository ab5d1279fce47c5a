import { randomUUID } from 'node:crypto'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const errorText = "This page isn't available, Try searching for something else"
const pathOf = (address: string) => new URL(address).pathname

test('the theme is light by default, persists and syncs to other tabs', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  expect(await theme()).toBe('light')
  const other = await page.context().newPage()
  await other.goto('/about')
  // A tab that has read the theme, and whose scripts load after the change.
  const slow = await page.context().newPage()
  let run = () => {}
  const held = new Promise<void>((resolve) => (run = resolve))
  await slow.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await slow.goto('/about', { waitUntil: 'commit' })
  await slow.locator('html[data-theme="light"]').waitFor()

  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
  await other.getByRole('button', { name: 'Switch to light theme' }).waitFor()
  run()
  await slow.getByRole('button', { name: 'Switch to light theme' }).waitFor()
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(theme).toBe('dark')
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBe('light')

  await page.evaluate(() => localStorage.setItem('theme', 'sepia'))
  await page.reload()
  expect(await theme()).toBe('light')
})

test('a page opened by its address starts at the top, a reload restores the scroll position', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 400 })
  const place = () => page.evaluate(() => scrollY)
  await page.goto('/about')
  await page.getByRole('heading', { name: 'About Kinora' }).waitFor()
  await page.evaluate(() => scrollTo(0, 150))
  await page.reload()
  await page.getByRole('heading', { name: 'About Kinora' }).waitFor()
  await expect.poll(place).toBe(150)
  await page.goto('/login')
  await page.getByRole('heading', { name: 'Login' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(600)
  expect(await place()).toBe(0)
})

test('an unknown address shows the error page, and Go Back returns to the previous page', async ({
  page,
}) => {
  await page.goto('/about')
  await page.goto('/no/such/page')
  await page.getByText(errorText).waitFor()
  await page.getByRole('button', { name: 'Go Back' }).click()
  await page.waitForURL('**/about')
})

test('Go Back skips failing pages and falls back to the home page @nightly', async ({ page }) => {
  await page.goto('/notfound')
  await page.getByText(errorText).waitFor()
  await page.goto('/also/missing')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect.poll(() => pathOf(page.url())).toBe('/')
})

test('styles that failed to load offline are loaded when the connection is back @nightly', async ({
  page,
}) => {
  await signIn(page)
  const title = `w${randomUUID()}`
  await publish(page, title)
  await page.goto('/')
  const link = page.getByRole('link', { name: title })
  await link.waitFor()
  await page.route('**/assets/*.css', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'))
  await link.hover()
  await failed
  await page.unroute('**/assets/*.css')
  await link.click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  const player = page.getByRole('region', { name: 'Video player' })
  await expect.poll(() => player.evaluate((region) => getComputedStyle(region).position)).toBe('relative')
})
