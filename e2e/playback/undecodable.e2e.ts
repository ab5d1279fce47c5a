import type { Page } from 'playwright-core'
import { playsStream, publishLongClip, untilPlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'

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
  ['audio', /audio-0(-low)?\/2\.m4s$/, 6],
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
