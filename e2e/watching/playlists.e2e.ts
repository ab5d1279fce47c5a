import { randomBytes } from 'node:crypto'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { createPlaylist } from '@kinora/contract/watching/playlists.ts'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

/** Publishes videos and adds them to a new playlist, in order. */
async function createPlaylistOf(page: Page, titles: readonly string[]) {
  const created = await page.request.post(apiPrefix + createPlaylist.path, { data: { title: 'Light' } })
  const playlistId: string = (await created.json()).data._id
  const videoIds: string[] = []
  for (const title of titles) {
    const videoId = await publish(page, title)
    videoIds.push(videoId)
    await page.request.put(`${apiPrefix}/playlists/${playlistId}/videos/${videoId}`)
  }
  return { playlistId, videoIds }
}

const entryTitles = (page: Page) => page.locator('main ol li a').allTextContents()

test('a video is saved to Watch later from the watch page and its card, and to a new playlist', async ({
  page,
}) => {
  await signIn(page)
  const title = `Harbour ${randomBytes(5).toString('hex')}`
  const id = await publish(page, title)
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'More actions', description: title }).click()
  const later = page.getByRole('button', { name: 'Save for later' })
  await later.click()
  await expect(later).toHaveAttribute('aria-pressed', 'true')

  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: title })
  await card.getByRole('button', { name: 'More actions' }).click()
  const saved = card.getByRole('button', { name: 'Save for later' })
  await expect(saved).toHaveAttribute('aria-pressed', 'true')
  await saved.click()
  await expect(saved).toHaveAttribute('aria-pressed', 'false')
  await saved.click()
  await expect(saved).toHaveAttribute('aria-pressed', 'true')
  await card.getByRole('button', { name: 'Save to playlist' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save to playlist' })
  await expect(dialog.getByRole('checkbox', { name: 'Watch later' })).toBeChecked()
  await dialog.getByRole('button', { name: 'New playlist' }).click()
  await dialog.getByLabel('Title').fill('Ships')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Ships' })).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Watch later' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Watch later' })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('link', { name: 'Library' }).click()
  await page.waitForURL('**/library')
  await page.getByText('Private · 0 videos').waitFor()
  await page.getByRole('link', { name: 'Ships' }).click()
  await page.getByRole('heading', { name: 'Ships' }).waitFor()
  await page.getByRole('link', { name: title }).waitFor()
  await page.getByText('Private · 1 video · 2 s').waitFor()
})

test('a playlist is reordered by keyboard and by pointer, and keeps its order @nightly', async ({ page }) => {
  await signIn(page)
  const { playlistId } = await createPlaylistOf(page, ['First', 'Second', 'Third'])
  const violations: string[] = []
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  await page.goto(`/playlist/${playlistId}`)
  const handle = page.getByRole('button', { name: 'Reorder First' })
  const saved = () =>
    page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())

  await tabTo(handle)
  await page.keyboard.press('Space')
  await page.getByText('First is at position 1.').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  await page.getByText('First is at position 2.').waitFor({ state: 'attached' })
  const movedByKeyboard = saved()
  await page.keyboard.press('Space')
  await movedByKeyboard
  await expect.poll(() => entryTitles(page)).toEqual(['Second', 'First', 'Third'])
  await page.reload()
  await expect.poll(() => entryTitles(page)).toEqual(['Second', 'First', 'Third'])

  const from = await page.getByRole('button', { name: 'Reorder Third' }).boundingBox()
  const to = await page.getByRole('button', { name: 'Reorder Second' }).boundingBox()
  if (!from || !to) throw new Error('The handles are not visible')
  await page.mouse.move(from.x + 10, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 20 })
  await expect.poll(() => entryTitles(page)).toContain('Third')
  const movedByPointer = saved()
  await page.mouse.up()
  await movedByPointer
  await page.reload()
  await expect.poll(() => entryTitles(page)).toEqual(['Third', 'Second', 'First'])

  const second = page.getByRole('listitem').filter({ hasText: 'Second' })
  const move = async (edge: string) => {
    const moved = saved()
    await second.getByRole('button', { name: 'More actions' }).click()
    await second.getByRole('button', { name: `Move to the ${edge}` }).click()
    await moved
  }
  await move('bottom')
  await expect.poll(() => entryTitles(page)).toEqual(['Third', 'First', 'Second'])
  await move('top')
  await page.reload()
  await expect.poll(() => entryTitles(page)).toEqual(['Second', 'Third', 'First'])

  await page.getByRole('button', { name: 'Remove Second' }).click()
  await expect.poll(() => entryTitles(page)).toEqual(['Third', 'First'])
  await page.getByText('2 videos').waitFor()
  // the content security policy allows what reordering needs
  expect(violations).toEqual([])
})

test('a playlist plays its next video at the end, by shortcut and by a click in the list @nightly', async ({
  page,
}) => {
  await signIn(page)
  const { playlistId, videoIds } = await createPlaylistOf(page, ['First', 'Second', 'Third'])
  await page.goto(`/playlist/${playlistId}`)
  await page.getByRole('link', { name: 'Play all' }).click()
  await page.waitForURL(`**/video/${videoIds[0]}?list=${playlistId}`)
  const column = page.getByRole('region', { name: 'Playlist', exact: true })
  await column.getByText('1 / 3').waitFor()
  // two seconds long, so that its end opens the next one
  await page.waitForURL(`**/video/${videoIds[1]}?list=${playlistId}`)
  await column.getByText('2 / 3').waitFor()
  await column.getByRole('link', { name: 'Previous video' }).waitFor()
  await page.keyboard.press('Shift+P')
  await page.waitForURL(`**/video/${videoIds[0]}?list=${playlistId}`)
  await column.getByRole('link', { name: 'Third' }).click()
  await page.waitForURL(`**/video/${videoIds[2]}?list=${playlistId}`)
  await column.getByText('3 / 3').waitFor()
})

test('a playlist stops at the end of a video with autoplay off, and is shuffled only on request @nightly', async ({
  page,
}) => {
  await signIn(page)
  const { playlistId, videoIds } = await createPlaylistOf(page, ['First', 'Second'])
  let shuffles = 0
  page.on('request', (request) => (shuffles += Number(request.url().includes('shuffle='))))
  await page.goto(`/playlist/${playlistId}`)
  await page.getByRole('link', { name: 'Play all' }).waitFor()
  await page.getByRole('button', { name: 'Reorder First' }).waitFor()
  expect(shuffles).toBe(0)
  await page.getByRole('button', { name: 'Shuffle' }).click()
  await page.waitForURL(/video\/.*shuffle=/)

  await page.goto(`/video/${videoIds[0]}?list=${playlistId}`)
  const autoplay = page.getByRole('switch', { name: 'Autoplay' })
  await expect(autoplay).toHaveAttribute('aria-checked', 'true')
  await autoplay.click()
  await page.reload()
  await expect(autoplay).toHaveAttribute('aria-checked', 'false')
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  await page.getByRole('region', { name: 'Up next' }).getByRole('link', { name: 'Next' }).waitFor()

  // the arrow keys move among the videos, without seeking
  const column = page.getByRole('region', { name: 'Playlist', exact: true })
  const [first, second] = ['First', 'Second'].map((name) => column.getByRole('link', { name }))
  await first?.focus()
  for (const [key, target] of [
    ['ArrowDown', second],
    ['Home', first],
    ['End', second],
    ['ArrowUp', first],
  ] as const) {
    await page.keyboard.press(key)
    if (target) await expect(target).toBeFocused()
  }
  await page.getByRole('button', { name: 'Play again' }).waitFor()
})

test('a deleted video leaves a placeholder, and others see an unlisted playlist without handles @nightly', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const { playlistId, videoIds } = await createPlaylistOf(page, ['First', 'Second'])
  await page.request.delete(`${apiPrefix}/video/${videoIds[0]}`)
  await page.goto(`/playlist/${playlistId}`)
  await page.getByText('This video is no longer available').waitFor()

  const visitor = await newVisitor()
  await visitor.goto(`/playlist/${playlistId}`)
  await visitor.getByRole('button', { name: 'Go Back' }).waitFor()
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('dialog').getByLabel('Visibility').selectOption('unlisted')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Unlisted · 2 videos').waitFor()
  await visitor.goto(`/playlist/${playlistId}`)
  await visitor.getByRole('link', { name: 'Second' }).waitFor()
  expect(await visitor.getByRole('button', { name: /^(Reorder|Remove|Change|Delete)/ }).count()).toBe(0)
})

test('a playlist that cannot be loaded says so, and appears when the connection is back @nightly', async ({
  page,
  context,
}) => {
  await signIn(page)
  const { playlistId } = await createPlaylistOf(page, ['First'])
  await page.goto('/playlist/watchlater')
  await page.getByRole('heading', { name: 'Watch later' }).waitFor()
  await page.getByRole('link', { name: 'Library' }).click()
  const link = page.getByRole('link', { name: 'Light' })
  await link.waitFor()
  await context.setOffline(true)
  await link.click()
  await page.getByRole('alert').filter({ hasText: 'Could not load the playlist. You are offline' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/playlist/${playlistId}`)
  await context.setOffline(false)
  await page.getByRole('link', { name: 'First' }).waitFor()

  await page.route(`**/api/v1/playlists/${playlistId}/entries*`, (route) => route.fulfill({ status: 500 }))
  await page.reload()
  await page.getByRole('alert').filter({ hasText: 'Could not load the videos' }).waitFor()
  await page.unroute(`**/api/v1/playlists/${playlistId}/entries*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'First' }).waitFor()
})

test('the pages of playlists have no accessibility issues and fit a phone @nightly', async ({ page }) => {
  await signIn(page)
  const { playlistId, videoIds } = await createPlaylistOf(page, ['First', 'Second'])
  for (const [path, shown] of [
    ['/library', 'main ul h3'],
    [`/playlist/${playlistId}`, 'main ol li'],
    [`/video/${videoIds[1]}?list=${playlistId}`, '[aria-label=Playlist] li'],
  ] as const) {
    await page.goto(path)
    await page.locator(shown).first().waitFor()
    expect([path, await findAccessibilityIssues(page)]).toEqual([path, []])
  }
})
