import type { Page } from 'playwright-core'
import { publish } from './fixtures/clips.ts'
import { expect, test } from './fixtures/test.ts'
import { signIn } from './fixtures/users.ts'

const total = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true })
const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

async function videoOf(page: Page, id: string): Promise<Record<string, unknown>> {
  return (await (await page.request.get(`/api/v1/video/${id}`)).json()).data[0]
}

function countDeletions(page: Page): () => number {
  let deletions = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions += 1
  })
  return () => deletions
}

test('a new member sees a greeting, an empty dashboard and a link to upload', async ({ page }) => {
  const me = await signIn(page)
  await page.goto(`/c/${me.username}/dashboard`)
  await page.getByText(`Welcome back, ${me.fullname}`, { exact: true }).waitFor()
  for (const label of ['Total views', 'Total subscribers', 'Total likes']) {
    await total(page, label).getByText('0', { exact: true }).waitFor()
  }
  await page.getByText('Nothing published yet').waitFor()
  // Without videos there is no chart above the upload link.
  expect(await page.getByRole('figure').count()).toBe(0)
  const upload = page.getByRole('link', { name: 'Upload video' })
  expect(await upload.getAttribute('href')).toBe(`/c/${me.username}/dashboard/upload`)
})

test('a loading dashboard fits the narrowest phone', async ({ page }) => {
  const me = await signIn(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.route('**/api/v1/users/dashboard/', () => {})
  await page.goto(`/c/${me.username}/dashboard`)
  await page.getByText('Loading your videos').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('missing totals show as 0, and the specified fields are sufficient', async ({ page }) => {
  const me = await signIn(page)
  const { processing: _beyond, ...video } = await videoOf(page, await publish(page, 'Minimal response'))
  await page.route('**/api/v1/users/dashboard/', (route) =>
    route.fulfill({ json: { data: { totalViews: 5, userVideos: [video] } } }),
  )
  await page.goto(`/c/${me.username}/dashboard`)
  await row(page, 'Minimal response').waitFor()
  await total(page, 'Total views').getByText('5', { exact: true }).waitFor()
  await total(page, 'Total likes').getByText('0', { exact: true }).waitFor()
})

test('a video counts in the totals, and is deleted after confirmation only', async ({ page, newVisitor }) => {
  const me = await signIn(page)
  const kept = await publish(page, 'The one that stays')
  const gone = await publish(page, 'The one that goes')
  const fan = await newVisitor()
  await signIn(fan)
  for (const id of [kept, gone]) {
    await fan.request.patch(`/api/v1/video/${id}`)
    await fan.request.post(`/api/v1/likes/video/toggle/${id}`)
  }
  await fan.request.post(`/api/v1/sub/channel/${me.username}`)

  await page.goto('/about')
  await page.goto(`/c/${me.username}/dashboard`)
  await total(page, 'Total views').getByText('2', { exact: true }).waitFor()
  await total(page, 'Total likes').getByText('2', { exact: true }).waitFor()
  await total(page, 'Total subscribers').getByText('1', { exact: true }).waitFor()
  await row(page, 'The one that goes').getByText('1 view', { exact: true }).waitFor()
  await row(page, 'The one that goes').getByText('1 like', { exact: true }).waitFor()

  const deletions = countDeletions(page)
  const link = page.getByRole('link', { name: 'Delete The one that goes', exact: true })
  await link.click()
  await page.waitForURL(`**/dashboard/delete/${gone}`)
  const dialog = page.getByRole('dialog', { name: 'Delete video' })
  await dialog.getByText('The one that goes').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(deletions()).toBe(0)

  await link.click()
  // The response is withheld until the second press, which would hit the page under the dialog.
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(`**/api/v1/video/${gone}`, async (route) => {
    await released
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Delete', exact: true }).dblclick()
  release()
  await page.waitForURL(`**/c/${me.username}/dashboard`)
  await row(page, 'The one that goes').waitFor({ state: 'detached' })
  await total(page, 'Total views').getByText('1', { exact: true }).waitFor()
  await total(page, 'Total likes').getByText('1', { exact: true }).waitFor()
  await row(page, 'The one that stays').waitFor()
  expect(deletions()).toBe(1)
  expect((await page.request.get(`/api/v1/video/${gone}`)).status()).toBe(404)
  // The focus moves to the remaining row, and the dashboard is in the history once.
  const left = row(page, 'The one that stays').getByRole('link', { name: 'The one that stays', exact: true })
  await expect(left).toBeFocused()
  // Going forward to the confirmation of a deleted video shows no dialog.
  await page.goForward()
  await dialog.getByText(/^This video no longer exists/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL('**/about')
})

test('a failed deletion returns to the dashboard with an error', async ({ page }) => {
  const me = await signIn(page)
  const id = await publish(page, 'Here to stay')
  await page.goto(`/c/${me.username}/dashboard/upload`)
  await page.getByRole('heading', { name: me.fullname, level: 1, includeHidden: true }).waitFor()
  expect(await page.title()).toBe('Upload video · Kinora')
  await page.goto(`/c/${me.username}/dashboard/delete/${id}`)
  await page.route(`**/api/v1/video/${id}`, (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  )
  await page.getByRole('dialog').getByText('Here to stay').waitFor()
  await page.getByRole('heading', { name: me.fullname, level: 1, includeHidden: true }).waitFor()
  expect(await page.title()).toBe('Delete video · Kinora')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.waitForURL(`**/c/${me.username}/dashboard`)
  await page.getByRole('alert').getByText('Here to stay').waitFor()
  await row(page, 'Here to stay').waitFor()
  expect(await page.title()).toBe('Dashboard · Kinora')
  // A second attempt without the failure deletes the video.
  await page.unroute(`**/api/v1/video/${id}`)
  await page.getByRole('link', { name: 'Delete Here to stay', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await row(page, 'Here to stay').waitFor({ state: 'detached' })
  await page.getByText('Nothing published yet').waitFor()
})

test('the page behind a dialog opened by its address keeps its full width on phones', async ({
  page,
  browser,
}) => {
  const me = await signIn(page)
  const id = await publish(page, 'On the phone')
  const phone = await browser.newContext({
    storageState: await page.context().storageState(),
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  try {
    const held = await phone.newPage()
    for (const step of [`delete/${id}`, 'upload']) {
      await held.goto(`/c/${me.username}/dashboard/${step}`)
      await held.getByRole('dialog').waitFor()
      expect(await held.locator('#main').evaluate((main) => main.getBoundingClientRect().width)).toBe(390)
    }
    // Touch screens cannot drop files: the empty field is small and does not mention dropping.
    const thumbnail = held.getByRole('dialog').getByLabel('Thumbnail')
    expect((await thumbnail.boundingBox())?.height).toBeLessThan(100)
    expect(await held.getByText('or drop it here').first().isVisible()).toBe(false)
  } finally {
    await phone.close()
  }
})

test('editing or deleting a video of somebody else shows an error on the dashboard', async ({
  page,
  newVisitor,
}) => {
  const other = await newVisitor()
  await signIn(other)
  const theirs = await publish(other, 'Not for you')
  const me = await signIn(page)
  const dashboard = `/c/${me.username}/dashboard`
  await page.goto('/about')
  await page.goto(`${dashboard}/edit/${theirs}`)
  await page.getByRole('alert').getByText('You can only change your own videos.').waitFor()
  expect(new URL(page.url()).pathname).toBe(dashboard)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.goBack()
  await page.waitForURL('**/about')
  for (const [id, refusal] of [
    [theirs, 'This video is not yours'],
    ['nosuchvideo', 'This video does not exist'],
  ]) {
    await page.goto(`${dashboard}/delete/${id}`)
    await page
      .getByRole('dialog')
      .getByText(/^This video no longer exists/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(`**${dashboard}`)
    await page.getByRole('alert').getByText(refusal!).waitFor()
  }
  expect((await page.request.get(`/api/v1/video/${theirs}`)).status()).toBe(200)
})

test('further pages of videos load on scroll, and their videos can be deleted', async ({ page }) => {
  const me = await signIn(page)
  for (const title of ['The oldest', 'The older', 'The newest']) await publish(page, title)
  const first = await page.request.get(`/api/v1/users/videos/${me.username}?limit=1`)
  const { nextCursor } = (await first.json()).data
  // Pages of one video each.
  await page.route('**/api/v1/users/dashboard/', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    await route.fulfill({ json: { data: { ...data, userVideos: data.userVideos.slice(0, 1), nextCursor } } })
  })
  await page.goto(`/c/${me.username}/dashboard`)
  await row(page, 'The newest').waitFor()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await row(page, 'The oldest').waitFor()
  expect(await page.getByRole('article').getByRole('heading').allTextContents()).toEqual([
    'The newest',
    'The older',
    'The oldest',
  ])
  // The dialog names the video from the data of its row, without a request.
  await page.route('**/api/v1/video/*', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await page.getByRole('link', { name: 'Delete The oldest' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete video' })
  await dialog.getByText('The oldest').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(page, 'The oldest').waitFor({ state: 'detached' })
  const left = row(page, 'The older').getByRole('link', { name: 'The older', exact: true })
  await expect(left).toBeFocused()
})

test('a row shows the progress of encoding without a reload', async ({ page }) => {
  const me = await signIn(page)
  const id = await publish(page, 'In the making')
  // A busy machine encodes for minutes and an idle one for an instant, so the states come from here.
  let state = { state: 'processing', progress: 0, reason: null as string | null }
  let requests = 0
  await page.route('**/api/v1/users/dashboard/', async (route) => {
    requests += 1
    // Later states come by the stream.
    if (requests > 1) return route.abort()
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const [video] = data.userVideos
    await route.fulfill({
      response,
      json: { ...rest, data: { ...data, userVideos: [{ ...video, processing: state }] } },
    })
  })
  const shown = Promise.withResolvers<void>()
  await page.route('**/api/v1/events', async (route) => {
    await shown.promise
    const event = `event: processing\ndata: ${JSON.stringify({ videoId: id, ...state })}\n\n`
    await route.fulfill({ contentType: 'text/event-stream', body: `retry: 100\n\n${event}` })
  })
  await page.goto(`/c/${me.username}/dashboard`)
  const entry = row(page, 'In the making')
  const meter = entry.getByRole('progressbar', { name: 'Processing' })
  await entry.getByText('Published. Preparing more qualities: 0%', { exact: true }).waitFor()
  state = { ...state, progress: 0.4 }
  shown.resolve()
  await entry.getByText('Published. Preparing more qualities: 40%', { exact: true }).waitFor()
  await meter.waitFor()
  state = { ...state, state: 'ready', progress: 1 }
  await meter.waitFor({ state: 'detached' })
  await entry.getByText('0 views', { exact: true }).waitFor()
})

test('title and description of a video can be edited', async ({ page }) => {
  const me = await signIn(page)
  await publish(page, 'Wrnog title')
  await page.goto(`/c/${me.username}/dashboard`)
  await page.getByRole('link', { name: 'Details of Wrnog title' }).click()
  const dialog = page.getByRole('dialog', { name: 'Video details' })
  await dialog.getByLabel('Title').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('Title is required').waitFor()
  await dialog.getByLabel('Title').fill('Right title')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(page, 'Right title').waitFor()
})

test('the history lists videos once each, last watched first, and as many as the server returns', async ({
  page,
}) => {
  const me = await signIn(page)
  await page.goto(`/c/${me.username}/history`)
  await page.getByText('Nothing watched yet').waitFor()
  const ids: string[] = []
  for (let index = 1; index <= 3; index++) ids.push(await publish(page, `Reel number ${index}.`))
  for (const id of [...ids, ids[0]]) await page.request.patch(`/api/v1/users/updatehistory/${id}`)
  const requested = page.waitForRequest('**/users/watchhistory*')
  await page.reload()
  // without a limit, the server returns the last ten
  expect(new URL((await requested).url()).search).toBe('')
  await page.getByRole('article').first().waitFor()
  const titles = await page.getByRole('article').getByRole('heading').allTextContents()
  expect(titles).toEqual([1, 3, 2].map((number) => `Reel number ${number}.`))
})
