import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { encode } from '../fixtures/encoder.ts'
import { startLiveSite } from '../fixtures/live-site.ts'
import { untilPlaying } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'

const plainPlaylist = /\/source\/index\.m3u8/
const chunkUrl = /\/source\/\d+\.\d+\.m4s$/

/**
 * Opens a stream close to its end, and returns the first request of a chunk. On a busy machine playback may begin too far
 * behind for chunks; opened again, the page has its scripts.
 */
async function openClosely(page: Page, address: string): Promise<Request> {
  let first: Request | undefined
  await expect(async () => {
    const chunk = page.waitForRequest(chunkUrl, { timeout: 20_000 })
    ;[first] = await Promise.all([chunk, page.goto(address)])
  }).toPass()
  if (!first) throw new Error('no chunk was requested')
  return first
}

const currentTime = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)

/** Seconds between playback and the end that the player knows. */
const distanceFromEnd = (page: Page) =>
  page
    .locator('video')
    .evaluate((video: HTMLVideoElement) => video.seekable.end(video.seekable.length - 1) - video.currentTime)

test('somebody streams from an encoder, a visitor rewinds and returns, and the stream stays as a video', async ({
  newVisitor,
}) => {
  test.setTimeout(300_000)
  const { site, rtmpPort, owner } = await startLiveSite(newVisitor)
  let encoder: ChildProcess | undefined
  try {
    await owner.goto(`${site.url}/studio/live`)
    await owner.getByLabel('Title').fill('Rehearsal')
    await owner.getByLabel('Visibility').selectOption('public')
    await owner.getByRole('button', { name: 'Save' }).click()
    await owner.getByRole('button', { name: 'Create a key' }).click()
    await expect(owner.getByText(`rtmp://127.0.0.1:${rtmpPort}/live`)).toBeVisible()
    const key = owner.locator('dd code').last()
    await expect(key).toHaveText(/^[\w-]{43}$/)
    encoder = encode(rtmpPort, (await key.textContent()) ?? '')

    await expect(owner.getByText('The encoder sends what it should.')).toBeVisible()
    const link = owner.getByRole('link', { name: 'Rehearsal' })
    const address = `${site.url}${await link.getAttribute('href')}`

    const visitor = await newVisitor()
    const firstChunk = await openClosely(visitor, address)
    expect((await firstChunk.response())?.status()).toBe(200)
    const behind = visitor.getByRole('button', { name: 'Jump to live' })
    await untilPlaying(visitor)
    await expect(visitor.getByText('Live', { exact: true })).toBeVisible()
    // the distance is known once it plays
    await untilPlaying(visitor, (await currentTime(visitor)) + 2)
    await expect(behind).toHaveCount(0)
    // long enough to be far behind after rewinding
    await untilPlaying(visitor, 26)
    const rewound = visitor.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 10) < 10)
    await visitor.getByRole('slider', { name: 'Seek' }).press('Home')
    await rewound
    await expect(behind).toBeVisible()
    // far from the end, its playlist is loaded less often, and playback stays there
    await visitor.waitForRequest(plainPlaylist)
    expect(await untilPlaying(visitor, (await currentTime(visitor)) + 4)).toBeLessThan(20)
    await expect(behind).toBeVisible()
    const nextChunk = visitor.waitForRequest(chunkUrl)
    await behind.click()
    await nextChunk
    await expect(behind).toHaveCount(0)
    await untilPlaying(visitor, 26)
    // the connection of this viewer is lost for as long as the next two watch
    await visitor.context().setOffline(true)

    // a viewer who saves data gets the sound like everybody
    const saving = await newVisitor()
    await saving.addInitScript(() =>
      localStorage.setItem('kinora.player', JSON.stringify({ savesData: true })),
    )
    const closePlaylists: string[] = []
    saving.on('request', (request) => {
      if (request.url().includes('/low-latency.m3u8')) closePlaylists.push(request.url())
    })
    await saving.goto(address)
    // which does not start by itself
    await saving.getByRole('button', { name: 'Play video' }).click()
    await untilPlaying(saving, (await currentTime(saving)) + 2)
    expect(closePlaylists).toEqual([])

    // a line that became slow: the player keeps more distance, and plays on
    const slow = await newVisitor()
    await slow.route(chunkUrl, async (route) => {
      await delay(1500)
      await route.continue()
    })
    await openClosely(slow, address)
    await slow.waitForRequest(plainPlaylist)
    await untilPlaying(slow, (await currentTime(slow)) + 4)

    // back online, the viewer continues close to the end, and catches up the last seconds slowly
    const lostAt = await currentTime(visitor)
    await visitor.context().setOffline(false)
    await untilPlaying(visitor, lostAt + 5)
    await expect.poll(() => distanceFromEnd(visitor), { timeout: 60_000 }).toBeLessThan(10)

    await owner.getByRole('button', { name: 'End the stream' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await expect(owner.getByText('You ended it.')).toBeVisible()
    if (encoder.exitCode === null) await once(encoder, 'close')
    // its page finds out by itself, and the address is the recording
    await expect(visitor.getByText('Live', { exact: true })).toHaveCount(0)
    await visitor.reload()
    await untilPlaying(visitor)
    await expect
      .poll(() => visitor.locator('video').evaluate((video: HTMLVideoElement) => video.duration))
      .toBeGreaterThan(26)
  } finally {
    encoder?.kill('SIGKILL')
    await site.stop()
  }
})
