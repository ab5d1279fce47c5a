import type { Page } from 'playwright-core'
import { playsStream, publishLongClip, untilPlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'

/** Damages matching segments before they arrive; returns a counter of damaged responses. */
async function damageSegments(
  page: Page,
  segments: RegExp,
  damage: (body: Buffer) => void,
): Promise<() => number> {
  let damaged = 0
  await page.route(segments, async (route) => {
    const response = await route.fetch()
    const body = await response.body()
    damage(body)
    damaged += 1
    await route.fulfill({ response, body })
  })
  return () => damaged
}

const overwriteAll = (body: Buffer) => body.fill(0xa5, body.indexOf('mdat') + 4)

/** Clears the frames of the second half of a segment, except for their lengths and types. */
function clearFrames(body: Buffer): void {
  const start = body.indexOf('mdat') + 4
  for (let at = start; at + 5 < body.length; at += 4 + body.readUInt32BE(at))
    if (at - start > (body.length - start) / 2) body.fill(0, at + 5, at + 4 + body.readUInt32BE(at))
}

test('undecodable segments are skipped: audio @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  const count = await damageSegments(page, /audio-0(-low)?\/2\.m4s$/, overwriteAll)
  await page.goto(`/video/${id}?t=6`)
  await untilPlaying(page, 13)
  expect((await videoState(page)).currentTime).toBeLessThan(29)
  expect(count()).toBeGreaterThan(0)
  expect(await playsStream(page)).toBe(true)
})

const damages: [string, RegExp, number][] = [
  ['later segments', /source\/[1-9]\d*\.m4s$/, 8],
  ['the first segment @nightly', /source\/0\.m4s$/, 0],
]

for (const [damaged, segment, from] of damages)
  test(`an encoded rendition continues where uploaded frames are undecodable: ${damaged}`, async ({
    page,
  }) => {
    const id = await publishLongClip(page)
    const count = await damageSegments(page, segment, clearFrames)
    await page.addInitScript(() => {
      Object.assign(globalThis, { resets: 0 })
      const countReset = () => Object.assign(globalThis, { resets: Reflect.get(globalThis, 'resets') + 1 })
      addEventListener('emptied', countReset, true)
    })
    await page.goto(`/video/${id}?t=${from}`)
    await untilPlaying(page, from + 4)
    expect(await playsStream(page)).toBe(true)
    expect(count()).toBeGreaterThan(0)
    // One reset at the same position: nothing is skipped.
    expect(await page.evaluate(() => Reflect.get(globalThis, 'resets'))).toBe(1)
  })
