import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Page } from 'playwright-core'
import { clip } from './fixtures/clips.ts'
import { expect, test } from './fixtures/test.ts'
import { signIn } from './fixtures/users.ts'

/** A clip on disk with some padding. */
async function fileOf(name: string, paddingBytes: number): Promise<string> {
  const file = test.info().outputPath(name)
  await writeFile(file, (await clip(paddingBytes)).buffer)
  return file
}

async function choose(page: Page, control: string, files: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: control }).first().click()
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

test('files chosen on any page are sent across navigation and a reload, and are private until published', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/about')
  const files = await Promise.all([
    fileOf('salt_flats.mp4', 3_000_000),
    fileOf('ice road.mp4', 3_100_000),
    fileOf('harbour.mp4', 1_000),
  ])
  await throttle(page, 100_000)
  await choose(page, 'Create', files)

  const tray = page.getByRole('region', { name: 'Transfers' })
  await expect(tray.getByRole('listitem')).toHaveCount(3)
  await expect(tray.getByText('Waiting', { exact: true })).toHaveCount(1)
  await expect(tray.getByText(/[1-9]\d* %/).first()).toBeVisible()

  await tray.getByRole('button', { name: 'Customize: salt flats' }).click()
  const details = page.getByRole('dialog', { name: 'Customize' })
  await details.getByRole('textbox', { name: 'Title' }).fill('Salt flats at noon')
  await details.getByRole('button', { name: 'Suggested frame 2' }).click()
  await details.getByRole('button', { name: 'Save' }).click()
  await expect(details).toBeHidden()

  await tray.getByRole('button', { name: 'Pause: ice road' }).click()
  await expect(tray.getByText(/Paused at/)).toBeVisible()
  await page.getByRole('link', { name: 'Kinora home' }).click()
  await page.waitForURL('**/')
  await expect(tray.getByText('Salt flats at noon')).toBeVisible()

  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(tray.getByText('Salt flats at noon')).toBeVisible()
  await expect(tray.getByText(/Interrupted at/).first()).toBeVisible()
  await throttle(page, -1)
  await choose(page, 'Create', files)
  await expect(tray.getByText(/^Ready \d+\.\d s after the last byte$/)).toHaveCount(3)

  // Private until the owner publishes it.
  const titles = async () => {
    const response = await page.request.get('/api/v1/video/all')
    return ((await response.json()).data as { title: string }[]).map(({ title }) => title)
  }
  expect(await titles()).not.toContain('Salt flats at noon')
  await tray.getByRole('button', { name: 'Publish: Salt flats at noon' }).click()
  await expect(tray.getByText(/^Live \d+\.\d s after the last byte$/)).toHaveCount(1)
  expect(await titles()).toContain('Salt flats at noon')
  const published = tray.getByRole('listitem').filter({ hasText: 'Salt flats at noon' })
  await expect(published.getByRole('button', { name: 'Get link' })).toBeVisible()
  await published.getByRole('link', { name: 'Watch' }).click()
  await page.getByRole('heading', { level: 1, name: 'Salt flats at noon' }).waitFor()
})

test('a dropped file can be discarded', async ({ page }) => {
  await signIn(page)
  await page.goto('/about')
  await throttle(page, 50_000)
  const file = await fileOf('glacier.mp4', 2_000_000)
  const bytes = (await readFile(file)).toString('base64')
  await page.evaluate(
    ([name, content]) => {
      const transfer = new DataTransfer()
      const buffer = Uint8Array.from(atob(content ?? ''), (letter) => letter.charCodeAt(0))
      transfer.items.add(new File([buffer], name ?? '', { type: 'video/mp4' }))
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
      )
    },
    [basename(file), bytes],
  )
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByRole('button', { name: 'Discard: glacier' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
  await tray.getByRole('button', { name: 'Discard: glacier' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect(tray).toBeHidden()
})
