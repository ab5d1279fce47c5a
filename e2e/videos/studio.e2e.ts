import type { Page } from 'playwright-core'
import { findAccessibilityIssues, findViolations } from '../fixtures/accessibility.ts'
import { encodeLongClip, h264, longClip, publish } from '../fixtures/clips.ts'
import { untilPlaying } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const statusOf = async (page: Page, path: string) => (await page.request.get(path)).status()

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click()
  // not the "Your unsaved changes were restored." of before
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor()
}

test('a private video and its files are accessible to its owner only', async ({ page, newVisitor }) => {
  const me = await signIn(page)
  const id = await publish(page, 'For the family')
  const stranger = await newVisitor()
  await signIn(stranger)
  const relative = await newVisitor()
  const named = await signIn(relative)
  await page.goto(`/c/${me.username}/dashboard`)
  await page.getByRole('main').getByRole('link', { name: 'Studio', exact: true }).click()
  // the dashboard, which has a link of this name, too, may stay for a moment
  await page.getByRole('heading', { name: 'Studio', level: 1 }).waitFor()
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

test('a scheduled video appears when its time comes @nightly', async ({ page, newVisitor }) => {
  await signIn(page)
  const id = await publish(page, 'Tomorrow is today')
  const guest = await newVisitor()
  await page.goto(`/studio/${id}`)
  await page.getByLabel('Visibility').selectOption('scheduled')
  await page.getByLabel('Public from').fill('')
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

test('tags and category of a video are links to the others that have them @nightly', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const id = await publish(page, 'Heather')
  await page.goto(`/studio/${id}`)
  await page.getByLabel('Description').fill('Purple in #August-light')
  await page.getByLabel('Tags').fill('Moor, Wind farm')
  await page.getByLabel('Category').selectOption('nature')
  await page.getByLabel('Spoken language').selectOption('en')
  await page.getByLabel('Licence').selectOption('cc-by-4.0')
  await page.getByLabel('Allow comments').uncheck()
  await page.getByLabel('Show a link to download').check()
  await save(page)

  const guest = await newVisitor()
  await signIn(guest)
  await guest.goto(`/video/${id}`)
  await expect(guest.getByRole('link', { name: 'CC BY 4.0' })).toBeVisible()
  await expect(guest.getByRole('main').getByText('English')).toBeVisible()
  await expect(guest.getByText('Comments are turned off.')).toBeVisible()
  await expect(guest.getByRole('textbox', { name: 'Add a comment' })).toHaveCount(0)
  const [download] = await Promise.all([
    guest.waitForEvent('download'),
    guest.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Heather\./)
  for (const [link, heading] of [
    ['#August-light', '#august-light'],
    ['#wind-farm', '#wind-farm'],
    ['Nature', 'Nature'],
  ] as const) {
    await guest.goto(`/video/${id}`)
    await guest.getByRole('main').getByRole('link', { name: link }).click()
    await expect(guest.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await expect(guest.getByRole('link', { name: 'Heather' }).first()).toBeVisible()
  }
  await guest.goto('/tag/nobody-has-it')
  await expect(guest.getByText('No videos here')).toBeVisible()
})

test('chapters are edited as a list, which becomes lines of the description @nightly', async ({ page }) => {
  await signIn(page)
  const id = await publish(page, 'Maple', { video: await longClip(), description: 'A walk.' })
  await page.goto(`/studio/${id}`)
  const chapters = page.getByRole('region', { name: 'Chapters' })
  await chapters.getByRole('button', { name: 'Edit chapters…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Chapters' })
  await dialog.getByLabel('Title of chapter 1').fill('Leaves')
  await dialog.getByRole('button', { name: 'Add a chapter' }).click()
  await dialog.getByLabel('Start of chapter 2').fill('0:02')
  await dialog.getByLabel('Title of chapter 2').fill('Bark')
  const write = dialog.getByRole('button', { name: 'Save to description' })
  await write.click()
  await expect(dialog.getByText('Begin at least 5 seconds after the one before')).toBeVisible()
  await expect(dialog.getByText('A list has at least 3 chapters')).toBeVisible()
  await dialog.getByLabel('Start of chapter 2').fill('0:10')
  await dialog.getByRole('button', { name: 'Add a chapter' }).click()
  await dialog.getByLabel('Start of chapter 3').fill('0:20')
  await dialog.getByLabel('Title of chapter 3').fill('Roots')
  expect(await findViolations(page)).toEqual([])
  await write.click()
  await expect(page.getByLabel('Description')).toHaveValue('A walk.\n\n0:00 Leaves\n0:10 Bark\n0:20 Roots')
  await expect(chapters.getByRole('listitem')).toHaveText([/Leaves/, /Bark/, /Roots/])
  await save(page)
  await page.goto(`/video/${id}`)
  await expect(page.getByRole('region', { name: 'Chapters' }).getByText('Bark')).toBeVisible()
})

test('the edit form keeps a draft when the tab is closed, until it is saved or discarded @nightly', async ({
  page,
  context,
}) => {
  await signIn(page)
  const id = await publish(page, 'Larch')
  await page.goto(`/studio/${id}`)
  await page.getByLabel('Title', { exact: true }).fill('Larch in rain')
  await page.getByLabel('Visibility').selectOption('private')
  await page.getByLabel('People who may watch it').fill('nobody')
  await page.getByLabel('Allow comments').uncheck()
  await page.close()

  const later = await context.newPage()
  await later.goto(`/studio/${id}`)
  await later.getByText('Your unsaved changes were restored.').waitFor()
  await expect(later.getByLabel('Title', { exact: true })).toHaveValue('Larch in rain')
  await expect(later.getByLabel('People who may watch it')).toHaveValue('nobody')
  await expect(later.getByLabel('Allow comments')).not.toBeChecked()
  await later.getByRole('button', { name: 'Discard them' }).click()
  await expect(later.getByLabel('Title', { exact: true })).toHaveValue('Larch')
  await expect(later.getByLabel('Visibility')).toHaveValue('public')
  await later.getByLabel('Title', { exact: true }).fill('Larch in hail')
  await later.close()

  const last = await context.newPage()
  await last.goto(`/studio/${id}`)
  await expect(last.getByLabel('Title', { exact: true })).toHaveValue('Larch in hail')
  await last.getByLabel('Description').fill('')
  await save(last)
  await last.reload()
  await expect(last.getByLabel('Title', { exact: true })).toHaveValue('Larch in hail')
  await expect(last.getByLabel('Description')).toHaveValue('')
  await expect(last.getByText('Your unsaved changes were restored.')).toHaveCount(0)
})

test('the studio is accessible and fits in both themes and widths @nightly', async ({ page }) => {
  await signIn(page)
  const title = 'A title as long as titles of videos about the sea in winter tend to be'
  const id = await publish(page, title)
  const labels = {
    tags: ['winter', 'sea', 'north'],
    category: 'nature',
    language: 'en',
    licence: 'cc-by-sa-4.0',
    downloadsAllowed: true,
  }
  await page.request.patch(`/api/v1/studio/videos/${id}`, { data: labels })
  for (const path of ['/studio', `/studio/${id}`, '/tag/winter', `/video/${id}`]) {
    await page.goto(path)
    await page.getByText(title).first().waitFor()
    if (path === '/studio') {
      await page.getByLabel('Select all').check()
      await page.getByText('Tags and category…').click()
    }
    expect([path, await findAccessibilityIssues(page)]).toEqual([path, []])
  }
})

test('a frame of the video becomes its thumbnail, and the owner downloads the original @nightly', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const id = await publish(page, 'Broom', { video: await longClip() })
  await page.request.patch(`/api/v1/studio/videos/${id}`, { data: { visibility: 'private' } })
  await page.goto(`/studio/${id}`)
  const picture = page.getByRole('form', { name: 'Video' }).locator('img')
  const before = await picture.getAttribute('src')
  await page.getByRole('button', { name: 'Choose a frame' }).click()
  await page.getByRole('slider', { name: 'Seek' }).press('End')
  await page.getByRole('button', { name: 'Use this frame' }).click()
  await page.getByRole('status').filter({ hasText: 'Thumbnail saved' }).waitFor()
  await expect(picture).not.toHaveAttribute('src', before ?? '')
  expect(await findViolations(page)).toEqual([])

  const link = page.getByRole('link', { name: 'Download the original' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('Broom.mp4')
  const stranger = await newVisitor()
  await signIn(stranger)
  const file = await link.getAttribute('href')
  expect((await stranger.request.get(file ?? '')).status()).toBe(404)
})

test('the file of a video is replaced twice, and those who watch it continue with the new ones @nightly', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const id = await publish(page, 'Sedge', { video: await longClip() })
  const visitor = await newVisitor()
  // the visitor has only the beginning of each file when it is replaced
  let replacement = Promise.withResolvers<void>()
  await visitor.route(/\/[3-9]\.m4s$/, async (route) => {
    await replacement.promise
    await route.continue()
  })
  await visitor.goto(`/video/${id}`)
  await untilPlaying(visitor)
  const video = visitor.getByRole('region', { name: 'Video player' }).locator('video')
  const duration = () => video.evaluate((element: HTMLVideoElement) => Math.round(element.duration))
  await expect.poll(duration).toBe(30)

  await page.goto(`/studio/${id}`)
  const form = page.getByRole('form', { name: 'Replace the file' })
  const field = form.getByLabel('New file')
  await field.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no video') })
  await form.getByRole('alert').waitFor()
  for (const seconds of [20, 25]) {
    const shorter = await encodeLongClip('mp4', ['-t', String(seconds), ...h264, '-c:a', 'aac'])
    await field.setInputFiles({ name: `${seconds}.mp4`, mimeType: 'video/mp4', buffer: shorter })
    const replaced = page.waitForResponse(/\/api\/v1\/studio\/videos\/\w+\/file$/)
    await form.getByRole('button', { name: 'Replace the file' }).click()
    expect((await replaced).status()).toBe(200)
    await page.getByRole('status').filter({ hasText: 'The file is replaced' }).waitFor()
    const waiting = replacement
    replacement = Promise.withResolvers()
    waiting.resolve()
    await expect.poll(duration).toBe(seconds)
  }
  expect(await findViolations(page)).toEqual([])

  replacement.resolve()
  await untilPlaying(visitor)
  await visitor.reload()
  await untilPlaying(visitor)
  expect(await duration()).toBe(25)
})
