import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { publish } from './fixtures/clips.ts'
import { expect, test } from './fixtures/test.ts'
import { signIn } from './fixtures/users.ts'

const statusOf = async (page: Page, path: string) => (await page.request.get(path)).status()

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
}

test('a private video is watched by its owner and refused to everybody else, its bytes too', async ({
  page,
  newVisitor,
}) => {
  const me = await signIn(page)
  const id = await publish(page, 'For the family')
  const stranger = await newVisitor()
  await signIn(stranger)
  const relative = await newVisitor()
  const named = await signIn(relative)
  await page.goto(`/c/${me.username}/dashboard`)
  await page.getByRole('link', { name: 'Studio', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'For the family', exact: true }).click()
  await page.getByLabel('Visibility').selectOption('private')
  await page.getByLabel('People who may watch it').fill(named.username)
  await save(page)

  const { data } = await (await page.request.get(`/api/v1/video/${id}`)).json()
  const [{ streamUrl, videoFile, thumbnail }] = data
  for (const path of [streamUrl, videoFile, thumbnail, `/api/v1/video/${id}`, `/video/${id}`]) {
    expect([path, await statusOf(stranger, path)]).toEqual([path, 404])
    expect([path, await statusOf(relative, path)]).toEqual([path, 200])
  }
  await stranger.goto(`/video/${id}`)
  await stranger.getByText("This page isn't available, Try searching for something else").waitFor()
  for (const viewer of [page, relative]) {
    await viewer.goto(`/video/${id}`)
    await viewer.getByRole('heading', { name: 'For the family' }).waitFor()
    const video = viewer.getByRole('region', { name: 'Video player' }).locator('video')
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState), { timeout: 30_000 })
      .toBeGreaterThan(1)
  }
  await stranger.goto('/')
  expect(await stranger.getByRole('link', { name: 'For the family' }).count()).toBe(0)
})

test('a scheduled video appears when its time comes', async ({ page, newVisitor }) => {
  await signIn(page)
  const id = await publish(page, 'Tomorrow is today')
  const guest = await newVisitor()
  await page.goto(`/studio/${id}`)
  await page.getByLabel('Visibility').selectOption('scheduled')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Choose a time in the future').waitFor()
  const soon = await page.evaluate(() => {
    const time = new Date(Date.now() + 5000)
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  })
  await page.getByLabel('Public from').fill(soon)
  await save(page)
  expect(await statusOf(guest, `/api/v1/video/${id}`)).toBe(404)
  await expect.poll(() => statusOf(guest, `/api/v1/video/${id}`), { timeout: 20_000 }).toBe(200)
  await guest.goto('/')
  await guest.getByRole('link', { name: 'Tomorrow is today' }).first().waitFor()
})

test('several videos are found, sorted, hidden together, and deleted unless that is undone', async ({
  page,
}) => {
  await signIn(page)
  const ids = [await publish(page, 'Alder'), await publish(page, 'Birch'), await publish(page, 'Cedar')]
  await page.goto('/studio')
  const titles = () => page.getByRole('rowheader').allTextContents()
  const rows = page.getByRole('rowheader')
  await rows.nth(2).waitFor()
  await page.getByLabel('Sort').selectOption('title')
  await expect.poll(async () => (await titles()).join()).toMatch(/Alder.*Birch.*Cedar/)
  await page.getByLabel('Find in your videos').fill('birc')
  await expect(rows).toHaveCount(1)
  await page.getByLabel('Find in your videos').fill('')
  await expect(rows).toHaveCount(3)

  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Make unlisted' }).click()
  await expect(page.getByRole('cell', { name: 'Unlisted' })).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('cell', { name: 'Public' })).toHaveCount(3)

  await page.getByLabel('Select Alder').check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(3)
  await page.getByLabel('Select Birch').press('Space')
  await page.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(rows).toHaveCount(2)
  // leaving the page is no way to take it back
  await page.getByRole('link', { name: 'Cedar' }).click()
  await expect.poll(() => statusOf(page, `/api/v1/video/${ids[1]}`)).toBe(404)
  expect(await statusOf(page, `/api/v1/video/${ids[0]}`)).toBe(200)
})

test('a deletion that waits is done when the tab is closed', async ({ page, newVisitor }) => {
  await signIn(page)
  const id = await publish(page, 'Dogwood')
  const guest = await newVisitor()
  await page.goto('/studio')
  await page.getByLabel('Select Dogwood').check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('1 video is deleted in 10 seconds.').waitFor()
  expect(await statusOf(guest, `/api/v1/video/${id}`)).toBe(200)
  await page.close()
  await expect.poll(() => statusOf(guest, `/api/v1/video/${id}`)).toBe(404)
})

test('videos that cannot be changed together are named, and the others are changed', async ({ page }) => {
  await signIn(page)
  const gone = await publish(page, 'Elder')
  const kept = await publish(page, 'Fir')
  await page.goto('/studio')
  await page.getByLabel('Select all').check()
  await page.request.delete(`/api/v1/video/${gone}`)
  await page.getByRole('button', { name: 'Make private' }).click()
  await page.getByRole('alert').getByText('Could not change “Elder”: This video does not exist').waitFor()
  await page.getByText('1 video is now private.').waitFor()
  await page.getByRole('cell', { name: 'Private' }).waitFor()
  const { data } = await (await page.request.get(`/api/v1/studio/videos/${kept}`)).json()
  expect(data.visibility).toBe('private')
})

test('the edit form shows what was changed elsewhere, and saves only what was changed in it', async ({
  page,
  newVisitor,
}) => {
  const me = await signIn(page)
  const id = await publish(page, 'Gorse')
  await page.goto('/studio')
  await page.getByRole('main').getByRole('link', { name: 'Gorse' }).click()
  await expect.poll(() => page.getByLabel('Visibility').inputValue()).toBe('public')
  await page.getByRole('link', { name: 'All videos' }).click()
  await page.getByLabel('Select Gorse').check()
  await page.getByRole('button', { name: 'Make private' }).click()
  await page.getByText('1 video is now private.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Gorse' }).click()
  await expect.poll(() => page.getByLabel('Visibility').inputValue()).toBe('private')

  const elsewhere = await newVisitor()
  await signIn(elsewhere, me)
  const changed = await elsewhere.request.patch(`/api/v1/studio/videos/${id}`, {
    data: { visibility: 'unlisted' },
  })
  expect(changed.status()).toBe(200)
  await page.getByLabel('Title', { exact: true }).fill('Gorse in May')
  await save(page)
  const { data } = await (await page.request.get(`/api/v1/studio/videos/${id}`)).json()
  expect([data.title, data.visibility]).toEqual(['Gorse in May', 'unlisted'])
})

for (const theme of ['light', 'dark'])
  for (const width of [390, 1440])
    test(`in the ${theme} theme the studio is accessible and fits at ${width} pixels`, async ({ page }) => {
      await signIn(page)
      const id = await publish(page, 'A title as long as titles of videos about the sea in winter tend to be')
      await page.addInitScript((name) => localStorage.setItem('theme', name), theme)
      await page.setViewportSize({ width, height: 900 })
      for (const path of ['/studio', `/studio/${id}`]) {
        await page.goto(path)
        await page.getByText('A title as long').first().waitFor()
        if (path === '/studio') await page.getByLabel('Select all').check()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual([])
        const { STUDIO_SHOTS: folder } = process.env
        if (folder)
          await page.screenshot({
            path: `${folder}/${theme}-${width}-${path.length > 8 ? 'edit' : 'list'}.png`,
          })
      }
    })
