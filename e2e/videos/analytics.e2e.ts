import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const upTo = (parts: number) => Array.from({ length: parts }, (_, part) => part)

test('the owner sees how ten viewers watched a video', async ({ page, newVisitor }) => {
  await signIn(page)
  const id = await publish(page, 'Ebb')
  const visitor = await newVisitor()
  for (let viewer = 1; viewer <= 9; viewer += 1) {
    const report = { isFirst: true, watchedSeconds: 1, parts: upTo(viewer * 10), source: 'embed' }
    const response = await visitor.request.post(`/api/v1/video/${id}/playback`, {
      data: { ...report, host: 'news.example', captions: null, lines: 360 },
    })
    expect(response.status()).toBe(200)
  }
  // the tenth finds the video by search, and watches it to its end
  await visitor.goto('/')
  await visitor.getByRole('searchbox').fill('Ebb')
  await visitor.getByRole('searchbox').press('Enter')
  // the home page, which has such a link, too, may stay for a moment
  await visitor.getByRole('heading', { name: "found for 'Ebb'" }).waitFor()
  await visitor.getByRole('link', { name: 'Ebb' }).first().click()
  const video = visitor.getByRole('region', { name: 'Video player' }).locator('video')
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.ended), { timeout: 30_000 })
    .toBe(true)
  await visitor.getByRole('link', { name: 'Kinora home' }).click()
  const countPlaybacks = async () => {
    const response = await page.request.get(`/api/v1/studio/videos/${id}/analytics`)
    return (await response.json()).data.totals.playbacks
  }
  await expect.poll(countPlaybacks).toBe(10)

  await page.goto('/studio')
  await page.getByRole('link', { name: 'Analytics: 1' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ebb' })).toBeVisible()
  const playbacks = page.getByRole('row', { name: /Embedded players: news.example/ })
  await expect(playbacks).toContainText('9')
  await expect(page.getByRole('row', { name: /Search on this site/ })).toContainText('10%')
  await expect(page.getByRole('group', { name: 'Watched on average' })).toContainText('55%')
  await page.getByText('Audience retention as a table').click()
  const table = page.getByRole('table', { name: 'Audience retention' })
  await expect(table.getByRole('row').nth(1)).toContainText('100%')
  await expect(table.getByRole('row', { name: /^50%/ })).toContainText('50%')
  await expect(table.getByRole('row', { name: /^99%/ })).toContainText('10%')

  await page.getByLabel('Period').selectOption('7')
  await expect(page).toHaveURL(/period=7/)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toBe('analytics.csv')
  await page.getByRole('link', { name: 'Analytics of all videos' }).click()
  await page.getByRole('link', { name: 'Ebb' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ebb' })).toBeVisible()
  const other = await newVisitor()
  await signIn(other)
  await other.goto(`/studio/${id}/analytics`)
  await other.getByText("This page isn't available, Try searching for something else").waitFor()
})

test('analytics are accessible in both themes, on wide and narrow screens, empty and with numbers @nightly', async ({
  page,
}) => {
  await signIn(page)
  const id = await publish(page, 'Flow')
  await page.goto('/studio/analytics')
  await page.getByRole('heading', { name: 'Not watched in this period' }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  const report = {
    isFirst: true,
    watchedSeconds: 1,
    parts: upTo(30),
    source: 'home',
    captions: 'en',
    lines: 360,
  }
  await page.request.post(`/api/v1/video/${id}/playback`, { data: report })
  for (const path of ['/studio/analytics', `/studio/${id}/analytics`]) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Audience retention' }).waitFor()
    expect([path, await findAccessibilityIssues(page)]).toEqual([path, []])
  }
})
