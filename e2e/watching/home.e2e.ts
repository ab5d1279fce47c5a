import { randomBytes } from 'node:crypto'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('the home page lists the newest video first, with duration, owner, views and age', async ({
  page,
  newVisitor,
}) => {
  const owner = await signIn(page)
  const title = `A plane, a plank ${randomBytes(5).toString('hex')}`
  const id = await publish(page, title)
  const visitor = await newVisitor()
  await visitor.goto('/')
  const card = visitor.getByRole('article').filter({ hasText: title })
  await card.waitFor()
  expect(await visitor.getByRole('article').first().textContent()).toContain(title)
  expect(await card.textContent()).toMatch(/00:0[12].*Ines Falk.*0 views · Just now/)
  for (const fact of ['0 views', 'Just now']) await card.getByText(fact, { exact: true }).waitFor()
  const still = card.locator('img').first()
  expect(await still.getAttribute('srcset')).toContain('1280w')
  await expect
    .poll(async () => still.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeGreaterThan(0)
  expect(await card.getByRole('link', { name: owner.fullname }).getAttribute('href')).toBe(
    `/c/${owner.username}`,
  )
  await card.getByRole('link', { name: title }).click()
  await visitor.waitForURL(`**/video/${id}`)
})

test('the skeleton shows before scripts run and has no interactive elements', async ({ page }) => {
  let run = () => {}
  const held = new Promise<void>((resolve) => (run = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.locator('[data-skeleton="video-card"]').first().waitFor()
  await expect(page.locator('[data-skeleton="video-card"]:visible')).toHaveCount(10)
  expect(await page.getByRole('link').count()).toBe(0)
  const placeOf = async () => page.locator('header').first().boundingBox()
  const before = await placeOf()
  run()
  await page.getByRole('link', { name: 'Kinora home' }).waitFor()
  expect(await placeOf()).toEqual(before)
})

test('a first visit of the home page loads the scripts that its HTML names, and no other', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const title = `A plane, a plank ${randomBytes(5).toString('hex')}`
  await publish(page, title)
  const visitor = await newVisitor()
  // Videos of other tests may be sensitive, and load their covers.
  await visitor.route('**/api/v1/video/all*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: { title: string }[] }
    await route.fulfill({ response, json: { ...rest, data: data.filter((video) => video.title === title) } })
  })
  const loaded: string[] = []
  visitor.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  const html = (await (await visitor.goto('/'))?.text()) ?? ''
  await visitor.getByRole('article').filter({ hasText: title }).waitFor()
  await visitor.getByRole('list', { name: 'Browse' }).waitFor()
  await visitor.waitForLoadState('networkidle')
  const scripts = loaded.filter((path) => path.startsWith('/assets/') && path.endsWith('.js'))
  expect(scripts).not.toEqual([])
  expect(scripts.filter((path) => !html.includes(path))).toEqual([])
})

test('all pages of videos load on scroll, and the scroll position is restored', async ({ page }) => {
  const { username } = await signIn(page)
  const template = { username, fullname: username, avatar: '/favicon.svg', _id: 'o' }
  const videos = Array.from({ length: 60 }, (_, index) => ({
    _id: `v${index}`,
    title: `Video ${index}`,
    description: '',
    thumbnail: '/favicon.svg',
    videoFile: '/x.mp4',
    duration: 3,
    views: 0,
    createdAt: new Date().toISOString(),
    totalSubs: 0,
    totalLikes: 0,
    storyboardUrl: null,
    videoOwner: template,
  }))
  // Responses stand in for sixty uploads, which would take a minute; only the list is tested.
  await page.route('**/api/v1/video/all', (route) => route.fulfill({ json: { success: true, data: videos } }))
  await page.goto('/')
  await expect(page.getByRole('article')).toHaveCount(60)
  await page.getByRole('link', { name: 'Video 50', exact: true }).scrollIntoViewIfNeeded()
  const place = await page.getByRole('link', { name: 'About Kinora' }).evaluate((link: HTMLElement) => {
    const before = scrollY
    link.click()
    return before
  })
  expect(place).toBeGreaterThan(500)
  await page.getByRole('heading', { name: 'About Kinora' }).waitFor()
  await page.goBack()
  await page.getByRole('article').first().waitFor()
  await expect.poll(async () => page.evaluate(() => scrollY)).toBe(place)
  // A reload restores the position as well, although the list is short at first.
  await page.reload()
  await page.getByRole('article').first().waitFor()
  await expect.poll(async () => page.evaluate(() => scrollY)).toBe(place)
})

test('hovering a thumbnail scrubs through its storyboard @nightly', async ({ page }) => {
  await signIn(page)
  const title = `A plane, a plank ${randomBytes(5).toString('hex')}`
  const id = await publish(page, title)
  // The storyboard is built after publishing.
  await expect
    .poll(
      async () => {
        const response = await page.request.get(`/api/v1/video/${id}`)
        const { data } = (await response.json()) as { data: { storyboardUrl: string | null }[] }
        return data[0]?.storyboardUrl
      },
      { timeout: 120_000, intervals: [500] },
    )
    .toBeTruthy()
  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: title })
  const sheet = page.waitForResponse((response) => /\/storyboard\d*\/\d+\.(webp|jpg)$/.test(response.url()))
  await card.locator('img').first().hover()
  expect((await sheet).ok()).toBe(true)
  const frame = card.locator('[style*="background-image"]')
  await frame.waitFor()
  await page.mouse.move(0, 0)
  await frame.waitFor({ state: 'detached' })
  await card.getByRole('link', { name: title }).press('ArrowRight')
  await frame.waitFor()
})
