import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { clip, type PickedFile } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

/** A clip on disk with some padding. */
async function fileOf(name: string, paddingBytes: number): Promise<string> {
  const file = test.info().outputPath(name)
  await writeFile(file, (await clip(paddingBytes)).buffer)
  return file
}

async function choose(page: Page, control: string, files: string[] | PickedFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: control }).first().click()
  if (control === 'Create') await page.getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles(files)
}

async function throttle(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

/** The titles that everybody sees. */
async function publicTitles(page: Page): Promise<string[]> {
  const response = await page.request.get('/api/v1/video/all')
  return ((await response.json()).data as { title: string }[]).map(({ title }) => title)
}

test('five files are sent across navigation and a closed tab, and are private until published', async ({
  page,
  context,
}) => {
  await signIn(page)
  await page.goto('/about')
  const names = ['salt_flats.mp4', 'ice road.mp4', 'harbour.mp4', 'quay.mp4', 'slipway.mp4']
  const files = await Promise.all(names.map((name, index) => fileOf(name, 3_000_000 + index)))
  await throttle(page, 60_000)
  await choose(page, 'Create', files)

  const tray = page.getByRole('region', { name: 'Transfers' })
  await expect(tray.getByRole('listitem')).toHaveCount(5)
  await expect(tray.getByText('Waiting', { exact: true })).toHaveCount(3)
  await expect(tray.getByText(/^[1-9]\d*%/)).toHaveCount(2)

  await tray.getByRole('button', { name: 'Customize: salt flats' }).click()
  const details = page.getByRole('dialog', { name: 'Customize' })
  await details.getByRole('textbox', { name: 'Title' }).fill('Salt flats at noon')
  await details.getByRole('button', { name: 'Suggested frame 2' }).click()
  await details.getByRole('button', { name: 'Save' }).click()
  await expect(details).toBeHidden()

  await tray.getByRole('button', { name: 'Pause: ice road' }).click()
  await expect(tray.getByText(/Paused at/)).toBeVisible()
  await tray.getByRole('button', { name: 'Continue: ice road' }).click()
  await expect(tray.getByText(/Paused at/)).toBeHidden()
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await page.waitForURL('**/')
  await expect(tray.getByText('Salt flats at noon')).toBeVisible()
  const listed = async () =>
    ((await (await page.request.get('/api/v1/studio/uploads')).json()).data as unknown[]).length
  await expect.poll(listed).toBe(5)
  await page.close()

  const later = await context.newPage()
  await later.goto('/about')
  const restored = later.getByRole('region', { name: 'Transfers' })
  await expect(restored.getByRole('listitem')).toHaveCount(5)
  await expect(restored.getByText('Salt flats at noon')).toBeVisible()
  await choose(later, 'Choose file: slipway.mp4', files)
  await expect(restored.getByText(/^Ready \d+\.\d s after the last byte$/)).toHaveCount(5)
  await expect(restored.getByRole('listitem')).toHaveCount(5)
  await expect(restored.getByRole('status').getByText('All sent')).toBeVisible()

  expect(await publicTitles(later)).not.toContain('Salt flats at noon')
  await restored.getByRole('button', { name: 'Publish for everybody: Salt flats at noon' }).click()
  await expect(restored.getByText(/^Live \d+\.\d s after the last byte$/)).toHaveCount(1)
  expect(await publicTitles(later)).toContain('Salt flats at noon')
  const published = restored.getByRole('listitem').filter({ hasText: 'Salt flats at noon' })
  await expect(published.getByRole('button', { name: 'Get link' })).toBeVisible()
  await published.getByRole('link', { name: 'Watch' }).click()
  await later.getByRole('heading', { level: 1, name: 'Salt flats at noon' }).waitFor()
})

test('a file that is no video is refused by name and leaves without a question @nightly', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/about')
  await choose(page, 'Create', {
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('tide table'),
  })
  const tray = page.getByRole('region', { name: 'Transfers' })
  await expect(tray.getByRole('listitem')).toContainText('MP4')
  await expect(tray.getByRole('button', { name: 'Try again' })).toBeHidden()
  await tray.getByRole('button', { name: 'Discard: notes' }).click()
  await expect(tray).toBeHidden()
})

test('a dropped file can be discarded @nightly', async ({ page }) => {
  await signIn(page)
  await page.goto('/about')
  await throttle(page, 50_000)
  const file = await fileOf('glacier.mp4', 2_000_000)
  const bytes = (await readFile(file)).toString('base64')
  const drag = (kind: 'dragover' | 'drop') =>
    page.evaluate(
      ([type = '', name = '', content = '']) => {
        const transfer = new DataTransfer()
        const buffer = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
        transfer.items.add(new File([buffer], name, { type: 'video/mp4' }))
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
        )
      },
      [kind, basename(file), bytes],
    )
  // the page may not listen yet
  await expect(async () => {
    await drag('dragover')
    await expect(page.getByText('Drop your files here')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await drag('drop')
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByRole('button', { name: 'Discard: glacier' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
  await tray.getByRole('button', { name: 'Discard: glacier' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect(tray).toBeHidden()
})

test('the tray and the drop area are accessible and fit into wide, narrow and low windows @nightly', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/about')
  const names = ['one.mp4', `${'long '.repeat(20)}name.mp4`, 'three.mp4']
  await throttle(page, 30_000)
  await choose(page, 'Create', await Promise.all(names.map((name, index) => fileOf(name, 2_000_000 + index))))
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByRole('button', { name: 'Pause: one' }).click()
  await expect(tray.getByText('Waiting', { exact: true })).toHaveCount(0)
  for (const { theme, width, height } of [
    { theme: 'light', width: 1440, height: 900 },
    { theme: 'dark', width: 390, height: 844 },
    { theme: 'light', width: 844, height: 390 },
  ]) {
    await page.setViewportSize({ width, height })
    const other = page.getByRole('button', { name: `Switch to ${theme} theme` })
    if (await other.isVisible()) await other.click()
    expect(await findViolations(page)).toEqual([])
    const box = await tray.boundingBox()
    expect(box && [box.x >= 0, box.y >= 0, box.x + box.width <= width, box.y + box.height <= height]).toEqual(
      [true, true, true, true],
    )
  }
  await tray.getByRole('button', { name: 'Customize: one' }).click()
  const details = page.getByRole('dialog', { name: 'Customize' })
  await details.getByRole('button', { name: 'Suggested frame 1' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await details.getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'x.mp4', { type: 'video/mp4' }))
    document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await page.getByText('Drop your files here').waitFor()
  expect(await findViolations(page)).toEqual([])
})
