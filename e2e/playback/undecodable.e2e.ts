import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { encodeLongClip, publish } from '../fixtures/clips.ts'
import { holdRendering, playsStream, publishLongClip, untilPlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

/** Overwrites the payload of matching segments with undecodable bytes; returns a counter of damaged responses. */
async function damageSegments(page: Page, segments: RegExp): Promise<() => number> {
  let damaged = 0
  await page.route(segments, async (route) => {
    const response = await route.fetch()
    const body = await response.body()
    body.fill(0xa5, body.indexOf('mdat') + 4)
    damaged += 1
    await route.fulfill({ response, body })
  })
  return () => damaged
}

const damages: [string, RegExp, number][] = [
  ['audio', /audio-0\/2\.m4s$/, 6],
  ['video', /source\/2\.m4s$/, 6],
  ['the first video segment', /source\/0\.m4s$/, 0],
]

for (const [damaged, segment, from] of damages)
  test(`undecodable segments are skipped: ${damaged}`, async ({ page }) => {
    const id = await publishLongClip(page)
    const count = await damageSegments(page, segment)
    await page.goto(`/video/${id}?t=${from}`)
    await untilPlaying(page, from + 7)
    expect((await videoState(page)).currentTime).toBeLessThan(29)
    expect(count()).toBeGreaterThan(0)
    expect(await playsStream(page)).toBe(true)
  })

test('an undecodable segment that fails before the player has rendered is skipped', async ({ page }) => {
  await signIn(page)
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const buffer = await encodeLongClip('mp4', ['-t', '3', ...encoding])
  const id = await publish(page, randomUUID(), {
    video: { name: 'short.mp4', mimeType: 'video/mp4', buffer },
  })
  await damageSegments(page, /audio-0\/0\.m4s$/)
  await holdRendering(page)
  // Render after the preloaded stream has failed.
  await page.addInitScript(() => {
    const { createElement } = Document.prototype
    const release = () => dispatchEvent(new Event('render'))
    Document.prototype.createElement = function (name: string, options?: ElementCreationOptions) {
      const element = createElement.call(this, name, options)
      if (name === 'video') element.addEventListener('error', release, { once: true })
      return element
    }
  })
  await page.goto(`/video/${id}`)
  await page.waitForFunction(() => document.querySelector('video')?.ended)
})

test('a stream rejected before the player has rendered shows an error', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.route('**/media/{videos,sources}/**', (route) => route.fulfill({ status: 404 }))
  // The gap between the rejection and the first render is tiny: delayed timers run after the render.
  await page.addInitScript(() => {
    const { setTimeout } = globalThis
    const delay = (run: () => void, ms = 0) => setTimeout(run, ms === 0 ? 2000 : ms)
    globalThis.setTimeout = delay as typeof setTimeout
  })
  await page.goto(`/video/${id}`)
  await page.getByRole('region', { name: 'Video player' }).getByRole('alert').waitFor()
})
