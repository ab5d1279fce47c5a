import { createServer } from 'node:http'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { listen } from '@kinora/platform/testing/listen.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test.skip(Boolean(process.env.BASE_URL), 'other sites fetch nothing from this machine')

/** A podcast of one episode at `/feed`, with the clips `/caves.mp4` and `/snow.mp4`. Other paths are missing. */
async function startPodcast() {
  const clip = await drawClip('mp4')
  const feed = `<rss version="2.0"><channel><title>Glaciers</title><item><title>Ice caves</title>
    <guid>1</guid><enclosure url="/caves.mp4" type="video/mp4" length="1"/></item></channel></rss>`
  const server = createServer(({ url }, response) => {
    if (url === '/feed') response.end(feed)
    else if (url === '/snow.mp4' || url === '/caves.mp4') response.end(clip)
    else response.writeHead(404).end()
  })
  const origin = await listen(server)
  return {
    origin,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('imports videos from an address and a feed, by keyboard, and shows why others fail', async ({
  page,
}) => {
  await using podcast = await startPodcast()
  await signIn(page)
  await page.goto('/studio')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  const imports = page.getByRole('listitem')

  await tabTo(page.getByLabel('Address of the file'))
  await page.keyboard.type('snow.mp4')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter an address that begins with https:// or http://')
  await expect(page.getByLabel('Address of the file')).toBeFocused()
  for (const name of ['gone', 'snow']) {
    await page.getByLabel('Address of the file').fill(`${podcast.origin}/${name}.mp4`)
    await page.keyboard.press('Enter')
    await expect(imports.filter({ hasText: `${name}.mp4` })).toBeVisible()
    await expect(page.getByLabel('Address of the file')).toHaveValue('')
  }
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(imports.filter({ hasText: 'gone.mp4' })).toContainText('There is no file at this address')
  const snow = page.getByRole('link', { name: 'snow' })
  await expect(snow).toBeVisible({ timeout: 30_000 })

  await tabTo(page.getByLabel('Address of the feed'))
  await page.keyboard.type(`${podcast.origin}/gone`)
  await tabTo(page.getByRole('button', { name: 'Add feed' }))
  await page.keyboard.press('Enter')
  await expect(imports.filter({ hasText: 'There is no feed at this address' })).toContainText('/gone', {
    timeout: 30_000,
  })
  await page.getByLabel('Address of the feed').fill(`${podcast.origin}/feed`)
  await page.getByLabel('Import the videos that the feed has now').check()
  await page.keyboard.press('Enter')
  await expect(imports.filter({ hasText: 'Glaciers' })).toContainText('1 video imported', { timeout: 30_000 })
  await expect(page.getByRole('link', { name: 'Ice caves' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove from the list: gone' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Imports' })).toBeFocused()
  await snow.click()
  await expect(page).toHaveTitle(/snow/)
})
