import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { encodeLongClip, publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, signIn } from '../fixtures/users.ts'

/** A title that shares no word with other videos. */
const uniqueTitle = () => `w${randomUUID().replaceAll('-', '')}`
const isAt = (path: string) => (url: URL) => url.pathname === path
const likeButton = (page: Page) => page.getByRole('button', { name: 'Like', exact: true })
const likes = (page: Page) => page.locator('[data-count=likes]')
const subscribers = (page: Page) => page.locator('[data-count=subscribers]')

/** Records the API calls a page makes from now on, as "METHOD /path". */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1/'))
      calls.push(`${request.method()} ${decodeURIComponent(pathname.slice(7))}`)
  })
  return calls
}

test('the watch page shows the details of a video and counts one view', async ({ page, newVisitor }) => {
  const owner = await signIn(page)
  const title = uniqueTitle()
  const id = await publish(page, title, { description: 'First line\n<b id="bold">not markup</b>' })
  const visitor = await newVisitor()
  const calls = callsOf(visitor)
  const counted = visitor.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.url().endsWith(`/video/${id}`),
  )
  await visitor.goto(`/video/${id}`)
  await visitor.getByRole('heading', { level: 1, name: title }).waitFor()
  const owned = visitor.getByRole('main').getByRole('link', { name: owner.fullname })
  expect(await owned.getAttribute('href')).toBe(`/c/${owner.username}`)
  expect(await subscribers(visitor).textContent()).toBe('0')
  expect(await likes(visitor).textContent()).toBe('0')
  // The video that comes next may have as many, and be as new.
  await visitor.getByText('0 views', { exact: true }).first().waitFor()
  await visitor.getByText('Just now', { exact: true }).first().waitFor()
  await visitor.getByText('<b id="bold">not markup</b>').waitFor()
  expect(await visitor.locator('#bold').count()).toBe(0)
  await visitor
    .getByRole('region', { name: 'Recommended videos' })
    .getByText('No recommendations available', { exact: true })
    .waitFor()
  await visitor.getByText('No comments yet').waitFor()
  await counted
  expect(calls.filter((call) => call.startsWith('PATCH'))).toEqual([`PATCH /video/${id}`])
  expect(calls).toContain(`GET /video/search/${title}`)
  expect(calls.filter((call) => /updatehistory|hassubbed|hasliked/.test(call))).toEqual([])
  await visitor.reload()
  await visitor.getByText('1 view', { exact: true }).first().waitFor()
})

test('a loading watch page shows placeholders and plays the video already', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, uniqueTitle())
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(`**/api/v1/video/${id}`, async (route) => {
    await held
    await route.continue()
  })
  const playlists: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.m3u8')) playlists.push(request.url())
  })
  await page.goto(`/video/${id}`)
  await page.locator('[data-skeleton="watch"]').waitFor()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
  release()
  // The player takes over the preloaded stream.
  expect(playlists.length).toBeGreaterThan(1)
  expect(new Set(playlists).size).toBe(playlists.length)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.locator('[data-skeleton="watch"]').count()).toBe(0)
})

test('the title shows before any script runs and stays in place', async ({ page }) => {
  await signIn(page)
  const title = `<b>${'A long title, & more '.repeat(4)}${uniqueTitle()}`
  const id = await publish(page, title)
  await page.setViewportSize({ width: 390, height: 844 })
  const releases = await Promise.all(
    ['**/assets/*.js', `**/api/v1/video/${id}`].map(async (late) => {
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route(late, async (route) => {
        await held
        await route.continue()
      })
      return release
    }),
  )
  await page.goto(`/video/${id}`, { waitUntil: 'commit' })
  const early = page.locator('[data-skeleton="watch"]').getByText(title, { exact: true })
  await early.waitFor()
  // lines may break elsewhere in the font that is shown until this one is loaded
  await page.waitForFunction(() => {
    const states = [...document.fonts].map(({ status }) => status)
    return states.includes('loaded') && !states.includes('loading')
  })
  const before = await early.boundingBox()
  releases[0]?.()
  // the skeleton of the page's HTML is a status with the title, too
  await page.locator('[data-first-title]').waitFor({ state: 'detached' })
  await page.getByRole('status').filter({ hasText: title }).waitFor()
  expect(await early.boundingBox()).toEqual(before)
  expect(await page.title()).toBe(`${title} · Kinora`)
  releases[1]?.()
  const heading = page.getByRole('heading', { level: 1, name: title })
  await heading.waitFor()
  expect(await heading.boundingBox()).toEqual(before)
})

test('late content causes no layout shift on phones', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, uniqueTitle())
  await page.setViewportSize({ width: 390, height: 844 })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  for (const late of [`**/api/v1/video/${id}`, '**/master.m3u8'])
    await page.route(late, async (route) => {
      await held
      await route.continue()
    })
  await page.goto(`/video/${id}`)
  const settings = page.getByRole('button', { name: 'Settings', exact: true })
  await settings.waitFor()
  const before = await settings.boundingBox()
  release()
  await page.getByRole('region', { name: 'Comments' }).getByText('No comments yet').waitFor()
  await page.getByText('No recommendations available').waitFor()
  expect(await settings.boundingBox()).toEqual(before)
  // Layout shifts are reported within two frames.
  const shifts = await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    return observer.takeRecords().map((shift) => JSON.stringify(shift))
  })
  expect(shifts).toEqual([])
})

test('a portrait video fills most of a phone from the first frame on @nightly', async ({ page }) => {
  await signIn(page)
  const upright = ['-t', '2', '-vf', 'transpose=1', '-c:v', 'libx264', '-preset', 'ultrafast']
  const buffer = await encodeLongClip('mp4', [...upright, '-pix_fmt', 'yuv420p', '-c:a', 'aac'])
  const video = { name: 'upright.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, uniqueTitle(), { video })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/assets/*.js', () => {})
  await page.goto(`/video/${id}`, { waitUntil: 'commit' })
  // Once rendered with its styles.
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const stage = page.locator('#root div:has(> picture)')
  const before = (await stage.boundingBox())!
  expect(before.height).toBeGreaterThan(before.width)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(`/video/${id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('region', { name: 'Video player' }).boundingBox()).toEqual(before)
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await page.locator('html:not([data-upright])').waitFor()
})

test('a video that failed to load opens again when the connection is back, or on request @nightly', async ({
  page,
}) => {
  await signIn(page)
  const id = await publish(page, uniqueTitle())
  const call = `**/api/v1/video/${id}`
  for (const way of ['connection', 'request']) {
    await page.route(call, (route) => (way === 'request' ? route.fulfill({ status: 502 }) : route.abort()))
    await page.goto(`/video/${id}?t=0`)
    await page.waitForURL(isAt('/notfound'))
    if (way === 'connection') {
      await page.context().setOffline(true)
      await page.getByText('You are offline').waitFor()
      await page.unroute(call)
      await page.context().setOffline(false)
    } else {
      await page.getByText('The server did not answer').waitFor()
      await page.unroute(call)
      await page.getByRole('button', { name: 'Try again' }).click()
    }
    await page.waitForURL((url) => url.pathname + url.search === `/video/${id}?t=0`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
})

test('a like right before leaving the page counts', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, uniqueTitle())
  await page.goto(`/video/${id}`)
  await page.getByRole('link', { name: 'Your channel' }).waitFor()
  // The request outlives its page (`keepalive`).
  const request = page.waitForRequest('**/likes/video/toggle/**')
  await likeButton(page).evaluate((button: HTMLElement) => button.click())
  await request
  await page.goto('/about')
  const likesNow = async () =>
    (await (await page.request.get(`/api/v1/likes/video/totallikes/${id}`)).json()).data
  await expect.poll(likesNow).toBe(1)
})

test('content known at first render appears without animation @nightly', async ({ page, newVisitor }) => {
  const owner = await signIn(page)
  const id = await publish(page, uniqueTitle())
  const fan = await newVisitor()
  await signIn(fan)
  await fan.request.post(`/api/v1/sub/channel/${owner.username}`)
  await fan.addInitScript(() => {
    const seen = new Set<string>()
    addEventListener('transitionrun', ({ target }) => {
      if (target instanceof HTMLButtonElement && target.textContent.startsWith('Subscribe')) seen.add('moved')
    })
    const record = () => {
      for (const button of document.querySelectorAll('main button'))
        if (button.textContent.startsWith('Subscribe') && getComputedStyle(button).visibility === 'visible')
          seen.add(button.textContent)
      requestAnimationFrame(record)
    }
    record()
    Object.assign(globalThis, { seen })
  })
  await fan.goto(`/video/${id}`)
  await fan.getByRole('button', { name: 'Subscribed', exact: true }).waitFor()
  // Animations are recorded one frame after rendering.
  const seen = () => fan.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])
  await expect.poll(seen).toContain('Subscribed')
  expect(await seen()).toEqual(['Subscribed'])
})

test('signing in while watching applies to the open page', async ({ page, newVisitor }) => {
  await signIn(page)
  const id = await publish(page, uniqueTitle())
  const visitor = await newVisitor()
  await visitor.goto('/')
  await visitor.getByRole('link', { name: 'Sign In' }).waitFor()
  // Signed in outside the page, which does not know yet.
  await signIn(visitor, await createAccount(visitor))
  const calls = callsOf(visitor)
  await visitor.locator(`main a[href="/video/${id}"]`).last().click()
  await visitor.getByRole('link', { name: 'Your channel' }).waitFor()
  await expect.poll(() => calls).toContain(`PATCH /users/updatehistory/${id}`)
  await expect.poll(() => calls).toContain(`GET /likes/video/hasliked/${id}`)
  await expect.poll(() => calls).toContain(`GET /sub/hassubbed/${id}`)
  const views = () => calls.filter((call) => call === `PATCH /video/${id}`)
  await expect.poll(views).toHaveLength(1)
})

test('the share dialog shows and copies the address while the video plays on @nightly', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, uniqueTitle())
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // A system with a share sheet, which records what it receives.
  await page.addInitScript(() => {
    navigator.share = async (data) => void Object.assign(window, { sent: data })
  })
  await page.goto(`/video/${id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const video = await page.locator('video').elementHandle()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
  await page.getByRole('link', { name: 'Share' }).click()
  await page.waitForURL(isAt(`/video/${id}/share`))
  const dialog = page.getByRole('dialog', { name: 'Share' })
  const address = `${new URL(page.url()).origin}/video/${id}/`
  await dialog.getByText(address, { exact: true }).waitFor()
  expect(await dialog.getByText('Link copied!').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByText('Link copied!', { exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await dialog.getByRole('button', { name: 'Send to an app' }).click()
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'sent'))).toMatchObject({ url: address })
  await dialog.getByRole('checkbox', { name: /^Start at 00:0/ }).check()
  expect(await dialog.getByText('Link copied!').count()).toBe(0)
  await dialog.getByText(/\?t=\d$/).waitFor()
  // A second press does not navigate beyond the page.
  await dialog.getByRole('button', { name: 'Close' }).dblclick()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/video/${id}`)
  expect(await video?.evaluate((element) => element.isConnected)).toBe(true)

  // Opened by its address, without a clipboard. The start time follows playback until it is selected.
  await page.goto(`/video/${id}/share`)
  await dialog.getByRole('checkbox', { name: /^Start at 00:0[1-9]/ }).check()
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByText('Link copied!', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(isAt(`/video/${id}`))
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
})

test('the share dialog copies the embed code @nightly', async ({ page }) => {
  await signIn(page)
  const title = `"${uniqueTitle()}" & <more>`
  const id = await publish(page, title)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/video/${id}/share`)
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('checkbox', { name: 'Embed on another site' }).check()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByText('Code copied!', { exact: true }).waitFor()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  await dialog.getByText(code, { exact: true }).waitFor()
  const { html } = await (await page.request.get(`/oembed?url=${encodeURIComponent(page.url())}`)).json()
  const frames = await page.evaluate(
    (markups) =>
      markups.map((markup) =>
        [
          ...(new DOMParser().parseFromString(markup, 'text/html').querySelector('iframe')?.attributes ?? []),
        ].map(({ name, value }) => [name, value]),
      ),
    [code, html as string],
  )
  expect(frames[0]).toEqual(frames[1])
  expect(frames[0]).toContainEqual(['title', title])
  // The frame fits its column and keeps the aspect ratio.
  expect(frames[0]).toContainEqual(['style', 'max-width:100%;height:auto;aspect-ratio:640/360'])
  expect(frames[0]).toContainEqual(['src', `${new URL(page.url()).origin}/embed/${id}`])
})

test('theatre mode spans the page, and the theme applies before scripts run @nightly', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, uniqueTitle())
  await page.goto(`/video/${id}`)
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.getByText('No recommendations available').waitFor()
  await page.keyboard.press('t')
  await page.getByRole('button', { name: 'Theatre mode', pressed: true }).waitFor()
  const region = page.getByRole('region', { name: 'Video player' })
  await expect.poll(async () => (await region.boundingBox())?.width).toBe(1280)
  const player = (await region.boundingBox())!
  const beside = (await page.getByRole('region', { name: 'Recommended videos' }).boundingBox())!
  expect(beside.y).toBeGreaterThanOrEqual(player.y + player.height)

  await page.route('**/assets/*.js', () => {})
  await page.reload({ waitUntil: 'commit' })
  await page.locator('[data-skeleton="watch"]').waitFor()
  const stage = page.locator('main > div > div').first()
  await expect.poll(() => stage.boundingBox()).toEqual(player)
  await page.locator('header .lucide-sun').waitFor()
  expect(await page.locator('header .lucide-moon:visible').count()).toBe(0)
})
