import type { BrowserContext, Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { fakeDevices } from '../fixtures/fake-devices.ts'
import { expect, test } from '../fixtures/test.ts'
import { timerSeconds } from '../fixtures/timer.ts'
import { signIn } from '../fixtures/users.ts'

test.use(fakeDevices)

async function openRecorder(page: Page): Promise<void> {
  await page.goto('/about')
  await page.getByRole('banner').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'Record', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Record', exact: true })).toBeVisible()
}

/** Waits until a recording has run for some seconds. */
async function recordFor(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => timerSeconds(page)).toBeGreaterThanOrEqual(seconds)
}

interface Played {
  duration: number
  time: number
}

/** Plays a video from near its end, and returns its duration and the position that was reached. */
async function playNearEnd(page: Page, videoId: string): Promise<Played> {
  await page.goto(`/video/${videoId}`)
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.duration)).toBeGreaterThan(1)
  const start = await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = element.duration - 2
    return element.duration - 2
  })
  await video.evaluate((element: HTMLVideoElement) => element.play())
  const position = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  await expect.poll(position).toBeGreaterThan(start + 0.5)
  const duration = await video.evaluate((element: HTMLVideoElement) => element.duration)
  return { duration, time: await position() }
}

/** Waits for the cut editor of a recording, and returns the id of its video, which is private. */
async function openedRecording(page: Page): Promise<string> {
  await page.waitForURL(/\/studio\/\w+\/cut$/)
  const videoId = new URL(page.url()).pathname.split('/').at(-2) ?? ''
  await page.getByRole('link', { name: 'Back to the video' }).click()
  await expect(page.getByRole('combobox', { name: 'Visibility' })).toHaveValue('private')
  return videoId
}

test('a screen with the camera in it is recorded, paused, stopped, and opens in the studio', async ({
  page,
}) => {
  await signIn(page)
  await openRecorder(page)
  const sources = page.getByRole('region', { name: 'Sources' })
  await sources.getByRole('button', { name: 'Choose', exact: true }).click()
  await sources.getByRole('combobox', { name: 'Camera' }).selectOption({ index: 1 })
  await sources.getByRole('combobox', { name: 'Microphone' }).selectOption({ index: 1 })
  const level = sources.getByRole('meter', { name: 'Level of the microphone' })
  await expect.poll(async () => Number(await level.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
  const handle = page.getByRole('button', { name: /^Camera in the picture/ })
  const left = async () => (await handle.boundingBox())?.x ?? 0
  const before = await left()
  await handle.press('ArrowLeft')
  await expect.poll(left).toBeLessThan(before)
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Start recording' }).click()
  await recordFor(page, 4)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await page
    .getByRole('dialog', { name: 'Leave the recording?' })
    .getByRole('button', { name: 'Stay here' })
    .click()
  const pause = async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  }
  await pause()
  await page.getByRole('button', { name: 'Continue' }).click()
  await recordFor(page, 6)
  // the timer stands still
  await pause()
  const recorded = await timerSeconds(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  const { duration } = await playNearEnd(page, await openedRecording(page))
  expect(duration).toBeGreaterThan(recorded - 0.5)
  expect(duration).toBeLessThan(recorded + 2)
})

/** Closes a tab as a crash does: the page is not asked. */
async function crash(context: BrowserContext, page: Page): Promise<Page> {
  await page.close({ runBeforeUnload: false })
  return context.newPage()
}

test('a recording whose tab was closed is found unfinished, kept as a private video, and plays', async ({
  page,
  context,
}) => {
  await signIn(page)
  await openRecorder(page)
  await page
    .getByRole('region', { name: 'Sources' })
    .getByRole('combobox', { name: 'Camera' })
    .selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Start recording' }).click()
  await recordFor(page, 12)
  const later = await crash(context, page)
  await later.goto('/studio')
  const unfinished = later.getByRole('region', { name: 'Unfinished recordings' })
  await expect(unfinished).toContainText('Recording,')
  await unfinished.getByRole('button', { name: 'Keep as a private video' }).click()
  const videoId = await openedRecording(later)
  // at most ten seconds are lost
  expect((await playNearEnd(later, videoId)).duration).toBeGreaterThan(4)
})

test('a browser without WebCodecs records WebM that plays and seeks @nightly', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'VideoEncoder')
    // as in Firefox
    MediaRecorder.isTypeSupported = (type) => type.startsWith('video/webm')
  })
  await signIn(page)
  await openRecorder(page)
  const sources = page.getByRole('region', { name: 'Sources' })
  await sources.getByRole('combobox', { name: 'Camera' }).selectOption({ index: 1 })
  await sources.getByRole('combobox', { name: 'Microphone' }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Start recording' }).click()
  await recordFor(page, 6)
  await page.getByRole('button', { name: 'Stop' }).click()
  const { duration } = await playNearEnd(page, await openedRecording(page))
  expect(duration).toBeGreaterThan(5)
  expect(duration).toBeLessThan(10)
})

test('a full quota ends a recording, and what was sent becomes a video @nightly', async ({ page, site }) => {
  const { username } = await signIn(page)
  await site.runStatement(`update users set quota_bytes = 3000000 where username = '${username}'`)
  await openRecorder(page)
  await page
    .getByRole('region', { name: 'Sources' })
    .getByRole('combobox', { name: 'Camera' })
    .selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Start recording' }).click()
  await expect(page.getByRole('alert')).toContainText('The recording has ended', { timeout: 120_000 })
  await page.getByRole('link', { name: 'Open the recording' }).click()
  expect((await playNearEnd(page, await openedRecording(page))).duration).toBeGreaterThan(4)
})
