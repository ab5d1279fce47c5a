import { writeFile } from 'node:fs/promises'
import type { Locator, Page, Route } from 'playwright-core'
import { clip, type PickedFile } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { profilePicture, signIn } from '../fixtures/users.ts'

const MEGABYTE = 1_000_000

/** Opens the upload dialog by its link on the dashboard. */
async function openDialog(page: Page): Promise<{ dialog: Locator; username: string }> {
  const { username } = await signIn(page)
  await page.goto(`/c/${username}/dashboard`)
  await page.getByRole('link', { name: 'Upload video' }).click()
  await page.waitForURL(`**/c/${username}/dashboard/upload`)
  const dialog = page.getByRole('dialog', { name: 'Upload video' })
  await dialog.waitFor()
  return { dialog, username }
}

async function fillIn(dialog: Locator, paddingBytes = 0): Promise<void> {
  await dialog.getByLabel('Title').fill('Frost on the boathouse')
  await dialog.getByLabel('Description').fill('First light\nand a thermos')
  await dialog.getByLabel('Video').setInputFiles(paddingBytes > 0 ? await fileOf(paddingBytes) : await clip())
  await dialog.getByLabel('Thumbnail').setInputFiles(profilePicture)
}

/** A clip on disk, deleted after the test: sending megabytes through the browser's pipe is slow. */
async function fileOf(paddingBytes: number): Promise<string> {
  const file = test.info().outputPath('large.mp4')
  await writeFile(file, (await clip(paddingBytes)).buffer)
  return file
}

/** A file above the size from which uploads are resumable. */
const largeFile = () => fileOf(70 * MEGABYTE)

const submit = (dialog: Locator) => dialog.getByRole('button', { name: 'Upload', exact: true }).click()

/** Throttles uploads so that they last beyond the assertions; returns functions that go offline and online again. */
async function throttle(page: Page, bytesPerSecond: number) {
  const session = await page.context().newCDPSession(page)
  const emulate = (offline: boolean, uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await emulate(false, bytesPerSecond)
  return { cut: () => emulate(true, bytesPerSecond), release: () => emulate(false, -1) }
}

function countUploads(page: Page): () => number {
  let uploads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/video/upload')) uploads += 1
  })
  return () => uploads
}

/** Waits until a page has rendered the responses it received before this call. */
async function waitForRender(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await fetch('/healthz')
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  })
}

test('missing fields and wrong file types are reported before anything is sent @nightly', async ({
  page,
}) => {
  const { dialog } = await openDialog(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
  })
  await submit(dialog)
  await dialog.getByRole('alert').first().waitFor()
  expect(await dialog.getByRole('alert').allTextContents()).toEqual([
    'Title is required',
    'Description is required',
    'Video is required',
    'Thumbnail is required',
  ])
  await dialog.getByLabel('Title').fill('Frost on the boathouse')
  await dialog.getByLabel('Description').fill('First light')
  const text = { name: 'clip.mp4', mimeType: 'text/plain', buffer: Buffer.from('no video') }
  await dialog.getByLabel('Video').setInputFiles(text)
  await dialog.getByLabel('Thumbnail').setInputFiles({ ...text, name: 'still.gif', mimeType: 'image/gif' })
  // The file is not a decodable image.
  await dialog.getByText('still.gif', { exact: true }).waitFor()
  await submit(dialog)
  const wrongVideo = 'Invalid file type. Only MP4, WebM, and Ogg are allowed.'
  const wrongThumbnail = 'Invalid file type. Only JPEG, PNG are allowed.'
  await dialog.getByText(wrongVideo, { exact: true }).waitFor()
  await expect(dialog.getByRole('alert')).toHaveText([wrongVideo, wrongThumbnail])
  await dialog.getByLabel('Video').setInputFiles(await clip())
  await expect(dialog.getByRole('alert')).toHaveText([wrongThumbnail])
  await submit(dialog)
  expect(sent).toEqual([])
  // The upload is announced once, when the form is complete.
  await dialog.getByLabel('Thumbnail').setInputFiles(profilePicture)
  await expect.poll(() => sent).toEqual(['/api/v1/video/announced'])
  await dialog.getByLabel('Title').fill('Frost')
  expect(sent).toHaveLength(1)
})

test('an upload locks the form, shows progress and opens the video', async ({ page }) => {
  const { dialog, username } = await openDialog(page)
  const uploads = countUploads(page)
  const playlists: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.m3u8')) playlists.push(request.url())
  })
  await fillIn(dialog, 12 * MEGABYTE)
  const keepMetadata = dialog.getByLabel('Keep location and device details')
  expect(await keepMetadata.isChecked()).toBe(false)
  await keepMetadata.check()
  const network = await throttle(page, MEGABYTE / 8)
  await submit(dialog)
  const busy = dialog.getByRole('button', { name: 'Uploading..', exact: true })
  await busy.waitFor()
  expect(await busy.isDisabled()).toBe(true)
  expect(await keepMetadata.isDisabled()).toBe(true)
  for (const label of ['Title', 'Description', 'Video', 'Thumbnail']) {
    expect(await dialog.getByLabel(label).isDisabled(), label).toBe(true)
  }
  await dialog.getByText(/\d+% · .* of .* MB · .*\/s · .* left/).waitFor()
  // The script of the player loads during the upload.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/hls-[^/]*\.js$/.test(name)),
  )
  expect(await busy.isVisible()).toBe(true)
  await network.release()
  await page.waitForURL(/\/video\/[^/]+$/)
  await page.getByRole('heading', { name: 'Frost on the boathouse', level: 1 }).waitFor()
  expect(uploads()).toBe(1)
  // The player takes over the preloaded stream.
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2)
  expect(playlists.length).toBeGreaterThan(1)
  expect(new Set(playlists).size).toBe(playlists.length)

  await page.goBack()
  await page.waitForURL(`**/c/${username}/dashboard`)
  await page.getByRole('article').getByRole('link', { name: 'Frost on the boathouse' }).first().waitFor()
})

test('a frame of the video becomes its thumbnail, and its page opens before the stream responds @nightly', async ({
  page,
}) => {
  const { dialog } = await openDialog(page)
  const streams: Route[] = []
  let isHeld = true
  await page.route('**/master.m3u8', (route) => (isHeld ? void streams.push(route) : route.continue()))
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByLabel('Video').click()
  await (await choosing).setFiles(await clip())
  // chosen for the person, as the title is
  await dialog.locator('img').waitFor()
  await expect(dialog.getByLabel('Title')).not.toHaveValue('')
  await dialog.getByRole('button', { name: 'Use a frame from the video' }).click()
  await dialog.getByRole('button', { name: 'Use another frame' }).waitFor()
  await dialog.getByLabel('Title').fill('Stills')
  await dialog.getByLabel('Description').fill('One of them leads')
  await submit(dialog)
  await page.getByRole('heading', { name: 'Stills', level: 1 }).waitFor()
  await expect.poll(() => streams.length).toBeGreaterThan(0)
  isHeld = false
  for (const route of streams) await route.continue()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
})

test('cancelling, closing and going back abort the upload @nightly', async ({ page }) => {
  const { username } = await openDialog(page)
  await throttle(page, MEGABYTE / 2)
  const ways: ((dialog: Locator) => Promise<unknown>)[] = [
    (dialog) => dialog.getByRole('button', { name: 'Cancel' }).click(),
    (dialog) => dialog.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ]
  for (const leave of ways) {
    await page.goto('/about')
    await page.goto(`/c/${username}/dashboard/upload`)
    const dialog = page.getByRole('dialog', { name: 'Upload video' })
    await fillIn(dialog, 20 * MEGABYTE)
    await submit(dialog)
    await dialog.getByText(/[1-9]\d*% · /).waitFor()
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/video/upload'))
    await leave(dialog)
    await failed
    await dialog.waitFor({ state: 'detached' })
  }
  await page.goto(`/c/${username}/dashboard`)
  await page.getByText('Nothing published yet').waitFor()
})

test('leaving the site during an upload asks for confirmation, navigating within does not', async ({
  page,
}) => {
  const { dialog } = await openDialog(page)
  await throttle(page, MEGABYTE / 4)
  const questions: string[] = []
  page.on('dialog', (question) => {
    questions.push(question.type())
    void question.dismiss()
  })
  await fillIn(dialog, 20 * MEGABYTE)
  await submit(dialog)
  await dialog.getByText(/[1-9]\d*% · /).waitFor()
  await page.evaluate(() => setTimeout(() => location.reload()))
  await expect.poll(() => questions).toEqual(['beforeunload'])
  await dialog.getByRole('button', { name: 'Uploading..', exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Nothing published yet').waitFor()
  expect(questions).toHaveLength(1)
})

test('a resumable upload cancelled before its first request sends nothing @nightly', async ({ page }) => {
  const file = await largeFile()
  const { dialog } = await openDialog(page)
  const scriptGate = Promise.withResolvers<void>()
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(new URL(request.url()).pathname)
  })
  await fillIn(dialog)
  await dialog.getByLabel('Video').setInputFiles(file)
  await expect.poll(() => changes).toEqual(['/api/v1/video/announced'])
  await page.route('**/assets/*.js', async (route) => {
    await scriptGate.promise
    await route.continue()
  })
  const scriptRequested = page.waitForRequest('**/assets/*.js')
  await submit(dialog)
  const scriptRequest = await scriptRequested
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  scriptGate.resolve()
  await scriptRequest.response()
  await waitForRender(page)
  expect(changes).toEqual(['/api/v1/video/announced'])
})

test('an upload that is rejected or interrupted says why, keeps the form and can be repeated', async ({
  page,
}) => {
  const { dialog } = await openDialog(page)
  await fillIn(dialog)
  const text = { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no video at all') }
  await dialog.getByLabel('Video').setInputFiles(text)
  // The hint shows on selection; the server decides.
  await dialog.getByRole('alert').getByText('This file is damaged').waitFor()
  const response = page.waitForResponse('**/video/upload')
  await submit(dialog)
  const { message } = await (await response).json()
  const refusal = dialog.getByRole('alert').getByText(message, { exact: true })
  await refusal.waitFor()
  await expect(dialog.getByRole('alert')).toHaveCount(1)
  await dialog.getByLabel('Video').setInputFiles(await clip())
  await refusal.waitFor({ state: 'detached' })
  // A success response without a video is an error, too.
  await page.route('**/video/upload', (route) => route.fulfill({ status: 201, json: { data: {} } }))
  await submit(dialog)
  await dialog.getByRole('alert').waitFor()
  await page.unroute('**/video/upload')
  await page.route('**/video/upload', (route) => route.abort('connectionreset'))
  await submit(dialog)
  await dialog.getByText('Connection lost.').waitFor()
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Frost on the boathouse')
  await page.unroute('**/video/upload')
  await submit(dialog)
  await page.waitForURL(/\/video\/[^/]+$/)
})

test('a video is published by keyboard alone', async ({ page }) => {
  const { username } = await signIn(page)
  await page.goto(`/c/${username}/dashboard`)
  let toPick: PickedFile = profilePicture
  // Subscribed first: a file chooser that opens without a listener is lost.
  page.on('filechooser', (chooser) => void chooser.setFiles(toPick))
  await tabTo(page.getByRole('link', { name: 'Upload video' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Upload video' })
  await tabTo(dialog.getByLabel('Title'))
  await page.keyboard.type('By keyboard')
  await tabTo(dialog.getByLabel('Description'))
  await page.keyboard.type('No mouse was moved')
  for (const [label, file] of [
    ['Video', await clip()],
    ['Thumbnail', profilePicture],
  ] as const) {
    await tabTo(dialog.getByLabel(label))
    toPick = file
    await page.keyboard.press('Enter')
    // a frame of the video may be the thumbnail already
    await dialog.getByText(file.name).or(dialog.locator('img')).first().waitFor()
  }
  await tabTo(dialog.getByRole('button', { name: 'Upload', exact: true }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/video\/[^/]+$/)
})

test('a resumable upload continues after a lost connection and after closing the page', async ({ page }) => {
  const file = await largeFile()
  const { dialog, username } = await openDialog(page)
  const uploads = countUploads(page)
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  const fillInAndSubmit = async () => {
    await fillIn(dialog)
    await dialog.getByLabel('Video').setInputFiles(file)
    await submit(dialog)
  }
  const network = await throttle(page, 4 * MEGABYTE)
  await fillInAndSubmit()
  await dialog.getByText(/[1-9]\d% · /).waitFor()
  await page.reload()
  await dialog.waitFor()

  await fillInAndSubmit()
  await dialog.getByText(/[2-9]\d% · /).waitFor()
  await network.cut()
  await dialog.getByText(/connection lost, trying again/).waitFor()
  await network.release()
  await page.waitForURL(/\/video\/[^/]+$/, { timeout: 120_000 })
  expect(offsets[0]).toBe(0)
  expect(Math.min(...offsets.slice(1))).toBeGreaterThan(0)
  expect(uploads()).toBe(0)

  await page.goto(`/c/${username}/dashboard`)
  const published = page.getByRole('article').filter({ hasText: 'Frost on the boathouse' })
  await published.first().waitFor()
  expect(await published.count()).toBe(1)
})

test('cancelling a resumable upload deletes its partial data @nightly', async ({ page }) => {
  const file = await largeFile()
  const { dialog } = await openDialog(page)
  await throttle(page, 2 * MEGABYTE)
  await fillIn(dialog)
  await dialog.getByLabel('Video').setInputFiles(file)
  await submit(dialog)
  await dialog.getByText(/[1-9]\d% · /).waitFor()
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const { url, status } = await ended.then((response) => ({ url: response.url(), status: response.status() }))
  expect(status).toBe(204)
  expect((await page.request.head(url, { headers: { 'tus-resumable': '1.0.0' } })).status()).toBe(404)
})
