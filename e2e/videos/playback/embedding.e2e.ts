import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { publishLongClip } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'

const example = join(import.meta.dirname, '../../../docs/examples/embedding.html')

test('a page of another origin controls and follows the embedded player, other windows do not', async ({
  page,
  siteUrl,
}) => {
  const id = await publishLongClip(page)
  const html = await readFile(example, 'utf8')
  const embedding = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(html.replace('https://video.example.org/embed/VIDEO_ID', `${siteUrl}/embed/${id}`))
  })
  // Another origin by its port, but the same site: browsers may refuse storage to frames on other sites, so nothing could be saved.
  embedding.listen(0, '127.0.0.1')
  try {
    await once(embedding, 'listening')
    await page.goto(`http://127.0.0.1:${(embedding.address() as AddressInfo).port}`)
    const press = (name: string) => page.getByRole('button', { name }).click()
    const state = async () => JSON.parse((await page.locator('pre').textContent()) || '{}')
    const video = page.frameLocator('iframe').locator('video')

    await expect.poll(state).toMatchObject({ isPlaying: false, currentSeconds: 0, volume: 1 })
    await expect.poll(async () => (await state()).durationSeconds).toBeCloseTo(30, 0)

    await press('Play')
    await expect.poll(async () => (await state()).currentSeconds).toBeGreaterThan(0)
    expect(await state()).toMatchObject({ type: 'kinora.state', isPlaying: true, isEnded: false })
    await press('Pause')
    await expect.poll(state).toMatchObject({ isPlaying: false })
    await press('To 0:10')
    await expect.poll(state).toMatchObject({ isPlaying: false, currentSeconds: 10 })
    await expect(video).toHaveJSProperty('currentTime', 10)

    // Of the frame itself, whose origin the player would otherwise trust most.
    await video.evaluate(async () => {
      const received = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
      postMessage({ type: 'kinora.command', command: 'seek', seconds: 20 })
      await received
    })
    await press('Half volume')
    await expect.poll(state).toMatchObject({ volume: 0.5, currentSeconds: 10 })

    // The volume was for that playback only.
    await page.reload()
    await expect.poll(state).toMatchObject({ volume: 1, currentSeconds: 0 })
  } finally {
    embedding.close()
    embedding.closeAllConnections()
  }
})
