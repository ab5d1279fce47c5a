import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { encodeLongClip, longClip, publish } from '../../fixtures/clips.ts'
import {
  openSetting,
  pauseOncePlaying,
  publishLongClip,
  untilPlaying,
  videoState,
} from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

test('a chosen audio track plays, and its language is remembered', async ({ page }) => {
  const tracks = ['-map', '0', '-map', '1', '-map', '1', '-c:v', 'libx264', '-preset', 'ultrafast']
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu']
  const buffer = await encodeLongClip('mp4', [...tracks, '-pix_fmt', 'yuv420p', '-c:a', 'aac', ...languages])
  await signIn(page)
  const video = { name: 'video.mp4', mimeType: 'video/mp4', buffer }
  const id = await publish(page, randomUUID(), { video })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await openSetting(page, 'Audio English')
  await expect(page.getByRole('menuitemradio')).toHaveText(['English', 'German'])
  const german = page.waitForResponse((response) => /audio-1(-low)?\/.*\.m4s/.test(response.url()))
  await page.getByRole('menuitemradio', { name: 'German' }).click()
  await german
  await page.reload()
  await untilPlaying(page)
  await openSetting(page, 'Audio German')
})

test('a chosen quality is encoded on request, shown and remembered for the session', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await openSetting(page, 'Quality')
  const playing = page.getByRole('menuitemradio').filter({ hasText: /playing$/ })
  await expect(playing).toHaveCount(1)
  const choices = await page.getByRole('menuitemradio').allTextContents()
  expect(choices[0]).toMatch(/^Auto/)
  expect(choices.slice(-2)).toEqual(['240p', '144p'])
  await page.getByRole('menuitemradio', { name: '240p' }).click()
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 240)

  // The choice applies to the next video of the session.
  await page.goto(`/video/${id}`)
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 240)
  await openSetting(page, 'Quality 240p')
  await page.getByRole('menuitemradio', { name: /^240p/, checked: true }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await openSetting(page, 'Quality Auto')
  await page.getByRole('menuitemradio', { name: /^Auto/, checked: true }).waitFor()
})

test('saving data keeps the audio of few bits to the end, after other qualities too @nightly', async ({
  page,
}) => {
  const id = await publishLongClip(page)
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  const tracks = new Set<string>()
  page.on('request', (request) => {
    const [, track] = /\/(audio-[^/]+)\//.exec(request.url()) ?? []
    if (track) tracks.add(track)
  })
  await page.goto(`/video/${id}`)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  // it could end before a slow machine has encoded another quality
  await pauseOncePlaying(page)
  for (const [name, lines] of [
    ['240p', 240],
    ['360p', 360],
  ] as const) {
    await openSetting(page, 'Quality')
    await page.getByRole('menuitemradio', { name }).first().click()
    await page.waitForFunction((height) => document.querySelector('video')?.videoHeight === height, lines)
  }
  await page.locator('video').evaluate((element) => {
    const video = element as HTMLVideoElement
    video.currentTime = video.duration - 3
    return video.play()
  })
  await page.waitForFunction(() => document.querySelector('video')?.ended)
  expect([...tracks]).toEqual(['audio-0-low'])
})

test('switching quality keeps the current one playing until the new one is ready @nightly', async ({
  page,
}) => {
  const id = await publishLongClip(page)
  let release: () => void = () => undefined
  const isEncoded = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/240/*.m4s', async (route) => {
    await isEncoded
    await route.continue()
  })
  const choose = async (name: string) => {
    await openSetting(page, 'Quality')
    // The passthrough rendition may have an encoded rendition of the same height.
    await page.getByRole('menuitemradio', { name }).first().click()
  }
  const shows = (lines: number) =>
    page.waitForFunction((height) => document.querySelector('video')?.videoHeight === height, lines)
  await page.goto(`/video/${id}`)
  const from = await untilPlaying(page)
  await shows(360)
  await choose('240p')
  await untilPlaying(page, from + 2)
  expect((await videoState(page)).videoHeight).toBe(360)
  release()
  await shows(240)
  await pauseOncePlaying(page)
  const { currentTime } = await videoState(page)
  await choose('360p')
  await shows(360)
  expect((await videoState(page)).currentTime).toBeCloseTo(currentTime, 2)
})

test('a chosen quality appears even if encoding is slower than playback @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.route('**/240/*.m4s', async (route) => {
    const { currentTime } = await videoState(page)
    // Playback advanced by more than a segment, or stalled.
    await page.waitForFunction((until) => {
      const video = document.querySelector('video')
      return !video || video.currentTime > until || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
    }, currentTime + 5)
    await route.continue().catch(() => {})
  })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  await openSetting(page, 'Quality')
  await page.getByRole('menuitemradio', { name: '240p' }).click()
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 240)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

const shownCaptions = (page: Page) =>
  page.locator('video').evaluate((element) => {
    const tracks = [...(element as HTMLVideoElement).textTracks]
    return tracks.map(({ activeCues }) => [...(activeCues ?? [])].map((cue) => (cue as VTTCue).text))
  })

test('captions are shown on request, in the language that was chosen last', async ({ page }) => {
  await signIn(page)
  const video = await longClip({ eng: 'Good <b>evening</b>', deu: 'Guten Abend' })
  const id = await publish(page, randomUUID(), { video })
  await page.goto(`/video/${id}`)
  await pauseOncePlaying(page)
  const captions = (pressed: boolean) => page.getByRole('button', { name: 'Subtitles CC', pressed })
  await captions(false).waitFor()
  await expect.poll(() => shownCaptions(page)).toEqual([[], []])
  await page.keyboard.press('c')
  await expect.poll(() => shownCaptions(page)).toEqual([['Good evening'], []])
  await openSetting(page, 'Subtitles English')
  await page.getByRole('menuitemradio', { name: 'English', checked: true }).waitFor()
  await page.getByRole('menuitemradio', { name: 'German' }).click()
  await expect.poll(() => shownCaptions(page)).toEqual([[], ['Guten Abend']])
  await page.reload()
  await pauseOncePlaying(page)
  await expect.poll(() => shownCaptions(page)).toEqual([[], ['Guten Abend']])
  await page.keyboard.press('c')
  await captions(false).waitFor()
  await expect.poll(() => shownCaptions(page)).toEqual([[], []])
  await page.keyboard.press('c')
  await captions(true).waitFor()
  await expect.poll(() => shownCaptions(page)).toEqual([[], ['Guten Abend']])
})

test('a button toggles captions, and is missing without them @nightly', async ({ page }) => {
  const withoutCaptions = await publishLongClip(page)
  const id = await publish(page, randomUUID(), { video: await longClip({ eng: 'Good evening' }) })
  await page.goto(`/video/${id}`)
  await pauseOncePlaying(page)
  await page.getByRole('button', { name: 'Subtitles', pressed: false }).click()
  await expect.poll(() => shownCaptions(page)).toEqual([['Good evening']])
  await page.getByRole('button', { name: 'Subtitles', pressed: true }).waitFor()
  await page.goto(`/video/${withoutCaptions}`)
  await untilPlaying(page)
  // The video details, which list the captions, arrive with the title.
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: /^Subtitles/ }).count()).toBe(0)
})
