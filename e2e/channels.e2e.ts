import type { Locator, Page, Response } from 'playwright-core'
import { publish } from './fixtures/clips.ts'
import { holdSecondResponse } from './fixtures/held-response.ts'
import { expect, test } from './fixtures/test.ts'
import { createAccount, newUser, profilePicture, signIn } from './fixtures/users.ts'

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Channel' }).getByRole('link')

/** Waits until an image is loaded from a source that contains `part`. */
async function untilShown(image: Locator, part: string): Promise<void> {
  await image.and(image.page().locator(`[src*="${part}"]`)).waitFor()
  const width = await image.evaluate(async (element) => {
    if (!(element instanceof HTMLImageElement)) return 0
    await element.decode()
    return element.naturalWidth
  })
  expect(width).toBeGreaterThan(0)
}

const isAt = (path: string) => (url: URL) => url.pathname === path

test('every tab of a channel redirects visitors to the login page', async ({ page }) => {
  const { username } = await createAccount(page)
  for (const tab of [
    '',
    '/videos',
    '/subscribedto',
    '/dashboard',
    '/dashboard/upload',
    '/history',
    '/edit',
  ]) {
    await page.goto(`/c/${username}${tab}`)
    await page.waitForURL(isAt('/login'))
  }
})

test('a channel neither redirects nor renders tabs before the session check finishes', async ({ page }) => {
  const { username } = await signIn(page)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/users/currentuser', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/c/${username}/edit`)
  await page.getByRole('searchbox', { name: 'Search' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/c/${username}/edit`)
  expect(await tabs(page).count()).toBe(0)
  release()
  await page.getByRole('form', { name: 'Details' }).waitFor()
})

test('a channel opens on its videos with five tabs for its owner and two for others', async ({ page }) => {
  const me = await signIn(page)
  const other = await createAccount(page)
  await page.goto(`/c/${me.username}`)
  await page.waitForURL(isAt(`/c/${me.username}/videos`))
  await tabs(page).first().waitFor()
  expect(await tabs(page).allTextContents()).toEqual([
    'Videos',
    'Subscribed to',
    'Dashboard',
    'History',
    'Edit',
  ])
  await page.goto(`/c/${other.username}/`)
  await page.waitForURL(isAt(`/c/${other.username}/videos`))
  await page.getByRole('heading', { name: other.fullname }).waitFor()
  expect(await tabs(page).allTextContents()).toEqual(['Videos', 'Subscribed to'])
})

test('tabs of the owner are not found for others, and Go Back skips them', async ({ page }) => {
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

test('the header shows name and counts, and wraps long names on the narrowest phone', async ({ page }) => {
  await signIn(page)
  const other = await createAccount(page)
  await page.goto(`/c/${other.username}`)
  const header = page.getByRole('main')
  await header.getByRole('heading', { name: other.fullname, level: 1 }).waitFor()
  expect(await header.getByText(`@${other.username}`, { exact: true }).count()).toBe(1)
  expect(await header.locator('[data-count=subscribers]').textContent()).toBe('0')
  await untilShown(header.locator('img').first(), 'default-cover')
  await header.getByRole('link', { name: '0 Subscribed' }).click()
  await page.waitForURL(isAt(`/c/${other.username}/subscribedto`))
  await page.getByText('Not subscribed to anyone yet').waitFor()

  // A name of one long word takes two lines on the narrowest phone.
  const long = await createAccount(page, newUser('Wolfeschlegelsteinhausenbergerdorffhaus'))
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(`/c/${long.username}`)
  const name = header.getByRole('heading', { name: long.fullname, level: 1 })
  await expect.poll(async () => (await name.boundingBox())?.height).toBeLessThan(50)

  // A long username wraps instead of widening the page.
  const wide = await createAccount(page, { ...newUser(), username: `${long.username}${'w'.repeat(60)}` })
  await page.goto(`/c/${wide.username}`)
  await header.getByText(`@${wide.username}`, { exact: true }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('a cover that fails to load is replaced by the default cover', async ({ page }) => {
  const { username } = await signIn(page)
  const saved = await page.request.patch('/api/v1/users/updatecover', {
    multipart: { coverImage: profilePicture },
  })
  expect(saved.ok()).toBe(true)
  const cover = page.getByRole('main').locator('img').first()
  await page.goto(`/c/${username}`)
  await untilShown(cover, '/media/')
  await page.route('**/media/pictures/**', (route) => route.abort())
  await page.reload()
  await untilShown(cover, 'default-cover')
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

test('subscribing is optimistic, persists, and rolls back on failure', async ({ page }) => {
  const me = await signIn(page)
  const other = await createAccount(page)
  await page.goto(`/c/${other.username}`)
  const count = page.locator('[data-count=subscribers]')
  const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true })
  const subscribed = page.getByRole('button', { name: 'Subscribed', exact: true })

  const toggled = () => page.waitForResponse('**/sub/channel/*')

  await page.route('**/sub/channel/*', (route) => route.abort())
  const rejected = page.waitForEvent('requestfailed', (request) => request.url().includes('/sub/channel/'))
  await subscribe.click()
  await rejected
  await subscribe.waitFor()
  await expect(count).toHaveText('0')
  await page.unroute('**/sub/channel/*')

  const stored = toggled()
  await subscribe.click()
  await subscribed.waitFor()
  await expect(count).toHaveText('1')
  await stored
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: other.fullname }).waitFor()

  await page.reload()
  await subscribed.waitFor()
  await expect(count).toHaveText('1')
  const responses: Response[] = []
  page.on('response', (response) => {
    if (response.url().includes('/sub/channel/')) responses.push(response)
  })
  const states = () => Promise.all(responses.map(async (response) => (await response.json()).data.subbed))
  await subscribed.dblclick()
  await expect.poll(states).toEqual([false, true])
  await subscribed.waitFor()
  await expect(count).toHaveText('1')

  await page.goto(`/c/${me.username}`)
  await page.getByRole('link', { name: '1 Subscribed' }).waitFor()
})

test('a response older than a subscription does not undo it', async ({ page }) => {
  await signIn(page)
  const other = await createAccount(page)
  const channel = await holdSecondResponse(page, `**/users/c/${other.username}`)
  const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true })
  const subscribed = page.getByRole('button', { name: 'Subscribed', exact: true })
  await page.goto(`/c/${other.username}/videos`)
  await subscribe.waitFor()
  await page.getByRole('link', { name: 'Kinora home' }).click()
  // The address changes before the channel unmounts.
  await page.getByRole('heading', { name: 'All videos' }).waitFor({ state: 'attached' })
  await page.goBack()
  await channel.requested
  const stored = page.waitForResponse('**/sub/channel/*')
  await subscribe.click()
  await stored
  await channel.release()
  expect(await subscribed.count()).toBe(1)
  expect(await page.locator('[data-count=subscribers]').textContent()).toBe('1')
})

test('the side navigation shows five of twelve subscriptions, the list eleven', async ({ page }) => {
  const me = await signIn(page)
  const channels = []
  for (let index = 0; index < 12; index++) {
    const user = newUser()
    channels.push(await createAccount(page, { ...user, username: `p${user.username.slice(2)}7` }))
  }
  for (const { username } of channels) {
    expect((await page.request.post(`/api/v1/sub/channel/${username}`)).ok()).toBe(true)
  }
  await page.goto(`/c/${me.username}/subscribedto`)
  const newestFirst = channels.map(({ username }) => `@${username}`).toReversed()
  const names = page.getByRole('main').getByText(/^@p[0-9a-f]{12}$/)
  await page.getByText(newestFirst[0] ?? '', { exact: true }).waitFor()
  await page.getByText(`@${me.username}`, { exact: true }).waitFor()
  // The first link is the channel's own, in its header.
  expect((await names.allTextContents()).slice(1)).toEqual(newestFirst.slice(0, 11))
  // An entry is not mistaken for the link to the list when its username ends in digits.
  await expect(page.getByRole('link', { name: /\d Subscribed/ })).toHaveCount(1)
  const nav = page.getByRole('navigation', { name: 'Main' }).getByRole('list', { name: 'Subscriptions' })
  await expect(nav.getByRole('link')).toHaveCount(5)
})
