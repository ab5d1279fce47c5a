import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { publish } from './clips.ts'
import { test } from './journey.ts'
import { signIn } from './people.ts'

test('a visitor opens the home page and finds the way to sign in', async ({ page }) => {
  const response = await page.goto('/')
  expect(response?.status()).toBe(200)
  expect(await page.title()).toContain('Kinora')
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await page.waitForURL('**/login')
})

test('the newest video comes first, with its length, owner, views and age', async ({ page, newVisitor }) => {
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
  const picture = card.locator('img')
  expect(await picture.getAttribute('srcset')).toContain('1280w')
  await expect
    .poll(async () => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeGreaterThan(0)
  expect(await card.getByRole('link', { name: owner.fullname }).getAttribute('href')).toBe(
    `/c/${owner.username}`,
  )
  await card.getByRole('link', { name: title }).click()
  await visitor.waitForURL(`**/video/${id}`)
})

test('an answer that is no list leaves the frame standing', async ({ page }) => {
  await page.route('**/api/v1/video/all*', (route) => route.fulfill({ json: { data: null } }))
  await page.goto('/')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.goto('/notfound')
  await page.getByRole('button', { name: 'Go Back' }).waitFor()
})

test('what is on its way has its place: ten cards, five subscriptions', async ({ page }) => {
  await signIn(page)
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  for (const call of ['**/video/all', '**/sub/all/*']) {
    await page.route(call, async (route) => {
      await held
      await route.continue()
    })
  }
  await page.goto('/')
  await page.locator('[data-skeleton="subscription"]').first().waitFor()
  expect(await page.locator('[data-skeleton="video-card"]').count()).toBe(10)
  expect(await page.locator('[data-skeleton="subscription"]').count()).toBe(5)
  answer()
  await expect.poll(async () => page.locator('[data-skeleton]').count()).toBe(0)
})

test('the pointer cranks through the pictures of a video', async ({ page }) => {
  await signIn(page)
  const title = `A plane, a plank ${randomBytes(5).toString('hex')}`
  const id = await publish(page, title)
  // The preview pictures are made after publishing.
  await expect
    .poll(
      async () => {
        const answer = await page.request.get(`/api/v1/video/${id}`)
        const { data } = (await answer.json()) as { data: { storyboardUrl: string | null }[] }
        return data[0]?.storyboardUrl
      },
      { timeout: 45_000, interval: 500 },
    )
    .toBeTruthy()
  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: title })
  const sheet = page.waitForResponse((response) => /\.(webp|jpg)$/.test(new URL(response.url()).pathname))
  await card.locator('img').hover()
  expect((await sheet).ok()).toBe(true)
  const frame = card.locator('[style*="background-image"]')
  await frame.waitFor()
  await page.mouse.move(0, 0)
  await frame.waitFor({ state: 'detached' })
  await card.getByRole('link', { name: title }).press('ArrowRight')
  await frame.waitFor()
})
