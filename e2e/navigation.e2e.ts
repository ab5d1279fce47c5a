import { randomUUID } from 'node:crypto'
import type { Locator } from 'playwright-core'
import { publish } from './fixtures/clips.ts'
import { untilApplied } from './fixtures/held-response.ts'
import { expect, test } from './fixtures/test.ts'
import { createAccount, signIn } from './fixtures/users.ts'

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

test('the side navigation sends visitors to the login page and members to their own pages', async ({
  page,
}) => {
  const nav = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Subscriptions', 'History']) {
    await page.goto('/')
    await nav.getByRole('link', { name }).click()
    await page.waitForURL('**/login')
  }
  expect(await nav.getByRole('link', { name: 'My Channel' }).count()).toBe(0)
  const { username } = await signIn(page)
  await page.goto('/')
  // Clicked immediately, possibly before the session check finishes.
  await nav.getByRole('link', { name: 'Subscriptions' }).click()
  await page.waitForURL(`**/c/${username}/subscribedto`)
  await nav.getByRole('link', { name: 'History' }).click()
  await page.waitForURL(`**/c/${username}/history`)
  await nav.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('keeps the current page when the session check finishes after navigation', async ({ page }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/users/currentuser', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click()
  await page.getByRole('link', { name: 'About Kinora' }).click()
  await page.getByRole('heading', { name: 'About Kinora' }).waitFor()
  held.resolve()
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  await untilApplied(page)
  expect(pathOf(page.url())).toBe('/about')
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

test('Go Back skips failing pages and falls back to the home page', async ({ page }) => {
  await page.goto('/notfound')
  await page.getByText(errorText).waitFor()
  await page.goto('/also/missing')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect.poll(() => pathOf(page.url())).toBe('/')
})

test('pages accept a trailing slash', async ({ page }) => {
  for (const path of ['/about/', '/login/', '/register/']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByText(errorText).count()).toBe(0)
  }
})

test('the skip link focuses the content, and navigation focuses the new page', async ({ page }) => {
  await page.goto('/')
  // The skeleton of the bar shows before it is interactive.
  await page.getByRole('link', { name: 'Kinora home' }).waitFor()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  expect(await focused()).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.getByRole('link', { name: 'About Kinora' }).click()
  await page.getByRole('heading', { name: 'About Kinora' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  expect(await page.title()).toBe('About · Kinora')
  await page
    .getByText(/specified as a practice project.*hobbyist developer.*Mongo\/Express\/React\/Node/)
    .waitFor()
})

test('subscriptions are in the side navigation, on phones under More', async ({ page }) => {
  const channel = await createAccount(page)
  await signIn(page)
  await page.request.post(`/api/v1/sub/channel/${channel.username}`)
  const nav = page.getByRole('navigation', { name: 'Main' })
  const subscription = nav
    .getByRole('list', { name: 'Subscriptions' })
    .getByRole('link', { name: channel.fullname })
  const more = nav.getByRole('button', { name: 'More' })
  const isInSight = (locator: Locator) =>
    locator.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight && right > left
    })
  await page.goto('/about')
  for (const [width, height] of [
    [1440, 900],
    [1000, 660],
    [640, 960],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const shown of [subscription, more, nav.getByRole('link', { name: 'Logout' })]) {
      await shown.waitFor()
      expect(await isInSight(shown), `${width}`).toBe(true)
    }
  }
  await more.click()
  await page.getByRole('dialog').getByRole('link', { name: 'Dashboard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await subscription.waitFor({ state: 'hidden' })
  await more.click()
  await page.getByRole('dialog').getByRole('link', { name: channel.fullname }).waitFor()
})

test('the top bar persists across navigation, with or without a side navigation', async ({ page }) => {
  await signIn(page)
  const title = `b${randomUUID()}`
  await publish(page, title)
  await page.goto('/')
  const video = page.getByRole('link', { name: title })
  await video.waitFor()
  const bar = await page.getByRole('banner').elementHandle()
  const stays = () => bar?.evaluate((element) => element.isConnected)
  await video.click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(await stays()).toBe(true)
  // Pages without a side navigation have a menu; on phones the dock appears on scrolling up.
  const nav = page.getByRole('navigation', { name: 'Main' })
  expect(await nav.count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 500 })
  await page.getByText('No comments yet').waitFor()
  // Two scroll movements within one frame cause one scroll event.
  const scroll = (top: number) =>
    page.evaluate(
      (place) =>
        new Promise<void>((resolve) => {
          addEventListener('scroll', () => resolve(), { once: true })
          scrollTo(0, place)
        }),
      top,
    )
  await scroll(300)
  await scroll(200)
  await nav.waitFor()
  await scroll(300)
  await nav.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await nav.getByRole('link', { name: 'Home' }).click()
  await video.waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await stays()).toBe(true)
})

test('styles that failed to load offline are loaded when the connection is back', async ({ page }) => {
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
