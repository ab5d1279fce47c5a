import { urlOf } from '@kinora/contract/client.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { putChannelIntros } from '@kinora/contract/videos/intros.ts'
import { createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { createPlaylistLink } from '@kinora/contract/watching/shared-playlists.ts'
import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { clip, longClip, publish } from '../fixtures/clips.ts'
import { untilPlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const over = (page: Page) => page.locator('[data-intro] video')
const skip = (page: Page) => page.getByRole('button', { name: 'Skip', exact: true })

/** Waits until the intro or outro plays over the video, which waits, and returns whether "Play again" is shown then. */
async function untilShown(page: Page, name: 'Intro' | 'Outro') {
  const find = (label: string) => {
    const video = document.querySelector<HTMLVideoElement>(`video[aria-label="${label}"]`)
    if (!video || video.currentTime <= 0.2) return null
    return { isOver: document.querySelector('[aria-label="Play again"]') !== null }
  }
  const shown = await page.waitForFunction(find, name, { timeout: 60_000 })
  return shown.jsonValue()
}

const mainState = (page: Page) =>
  page
    .locator('video')
    .first()
    .evaluate((video: HTMLVideoElement) => ({ paused: video.paused, seconds: video.currentTime }))

const viewsOf = async (page: Page, id: string) =>
  (await (await page.request.get(`/api/v1/video/${id}`)).json()).data[0].views as number

test('the intro and the outro of a channel play around its videos, and viewers skip them', async ({
  page: owner,
  newVisitor,
}) => {
  await signIn(owner)
  const video = await longClip()
  const introId = await publish(owner, 'Opening titles', { video })
  const outroId = await publish(owner, 'Closing titles', { video: await clip() })
  const id = await publish(owner, 'The salt flats', { video })

  await owner.goto('/account/channel')
  const settings = owner.getByRole('region', { name: 'Intro and outro' })
  await settings.getByLabel('Intro', { exact: true }).selectOption({ label: 'Opening titles (00:30)' })
  await settings.getByLabel('Outro', { exact: true }).selectOption({ label: 'Closing titles (00:02)' })
  await settings.getByRole('button', { name: 'Apply' }).click()
  await expect(settings.getByRole('status')).toHaveText('Saved')

  const viewer = await newVisitor()
  await viewer.goto(`/video/${id}`)
  await untilShown(viewer, 'Intro')
  expect(await mainState(viewer)).toEqual({ paused: true, seconds: 0 })
  await expect(viewer.getByRole('status').filter({ hasText: 'Intro.' })).toHaveCount(1)
  expect(await findViolations(viewer)).toEqual([])
  // the controls act on it
  await viewer.keyboard.press('k')
  await expect(over(viewer)).toHaveJSProperty('paused', true)
  await viewer.keyboard.press('m')
  await expect(over(viewer)).toHaveJSProperty('muted', true)
  await viewer.keyboard.press('k')
  await expect(over(viewer)).toHaveJSProperty('paused', false)
  await skip(viewer).click()
  await expect(over(viewer)).toHaveCount(0)
  await expect(viewer.getByRole('region', { name: 'Video player' })).toBeFocused()
  expect(await untilPlaying(viewer)).toBeLessThan(10)

  // it lasts two seconds
  const outro = untilShown(viewer, 'Outro')
  await viewer
    .locator('video')
    .evaluate((element: HTMLVideoElement) => void (element.currentTime = element.duration - 1))
  expect(await outro).toEqual({ isOver: false })
  await viewer.getByRole('button', { name: 'Play again' }).first().waitFor({ timeout: 60_000 })
  await expect(over(viewer)).toHaveCount(0)

  // once for a while in the same tab
  await viewer.reload()
  await untilPlaying(viewer, 0.5)
  await expect(over(viewer)).toHaveCount(0)
  expect(await viewsOf(viewer, introId)).toBe(0)
  expect(await viewsOf(viewer, outroId)).toBe(0)

  // not in the middle, and an arrow skips it
  const other = await newVisitor()
  await other.goto(`/video/${id}?t=12`)
  await untilPlaying(other, 12)
  await expect(over(other)).toHaveCount(0)
  await other.goto(`/embed/${id}`)
  await other.getByRole('button', { name: 'Play video' }).click()
  const counted: string[] = []
  other.on('request', (request) => {
    if (request.method() === 'PATCH') counted.push(request.url())
  })
  await untilShown(other, 'Intro')
  expect(counted).toEqual([])
  await other.keyboard.press('ArrowRight')
  await untilPlaying(other, 0.5)
  await expect.poll(() => counted).toEqual([expect.stringMatching(new RegExp(`/video/${id}$`))])
  await expect(over(other)).toHaveCount(0)
  expect((await videoState(other)).currentTime).toBeLessThan(10)

  // one that the viewer has paused starts no video
  const pausing = await newVisitor()
  await pausing.goto(`/video/${id}`)
  await untilShown(pausing, 'Intro')
  await pausing.keyboard.press('k')
  // as the player shows
  await pausing.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await pausing.keyboard.press('5')
  await expect(over(pausing)).toHaveCount(0)
  await expect.poll(() => mainState(pausing)).toEqual({ paused: true, seconds: expect.closeTo(15, 0) })

  // without it for this video, and for all once it is deleted
  await owner.goto(`/studio/${id}`)
  const choice = owner.getByRole('region', { name: 'Intro and outro' })
  await choice.getByRole('checkbox').uncheck()
  await choice.getByRole('button', { name: 'Apply' }).click()
  await expect(choice.getByRole('status')).toHaveText('Saved')
  const shownWith = async (shownId: string) =>
    (await (await other.request.get(`/api/v1/video/${shownId}`)).json()).data[0] as Record<string, unknown>
  expect(await shownWith(id)).not.toHaveProperty('introId')
  const another = await publish(owner, 'Another one', { video })
  expect(await shownWith(another)).toMatchObject({ introId, outroId })
  // one that cannot be played delays nothing for long: missing, without a response, without its script
  for (const prevent of [
    (page: Page) => page.route(new RegExp(introId), (route) => route.fulfill({ status: 404 })),
    (page: Page) => page.route(new RegExp(`/media/videos/${introId}`), () => {}),
  ]) {
    const without = await newVisitor()
    await prevent(without)
    const from = Date.now()
    await without.goto(`/video/${another}`)
    await untilPlaying(without, 0.1)
    expect(Date.now() - from).toBeLessThan(30_000)
    await expect(over(without)).toHaveCount(0)
  }
  const withoutScript = await newVisitor()
  await withoutScript.route(/\/intros-[^/]+\.js/, (route) => route.abort())
  await withoutScript.goto(`/video/${another}`)
  await untilPlaying(withoutScript, 0.5)
  await expect(withoutScript.getByRole('heading', { name: 'Another one' })).toBeVisible()

  await owner.request.delete(`/api/v1/video/${introId}`)
  const later = await newVisitor()
  await later.goto(`/video/${another}`)
  await untilPlaying(later, 0.5)
  await expect(over(later)).toHaveCount(0)
})

test('videos of a shared playlist have their outro before the next one starts', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  // long enough to be skipped
  const outroId = await publish(page, 'Closing titles', { video: await longClip() })
  const ids: string[] = []
  for (const title of ['Halves', 'Quarters']) ids.push(await publish(page, title, { video: await clip() }))
  await page.request.put(apiPrefix + putChannelIntros.path, { data: { introId: null, outroId } })
  const created = await page.request.post(apiPrefix + createPlaylist.path, { data: { title: 'Fractions' } })
  const playlistId: string = (await created.json()).data._id
  for (const id of ids) await page.request.put(`${apiPrefix}/playlists/${playlistId}/videos/${id}`)
  const link = await page.request.post(urlOf(createPlaylistLink, { playlistId }), { data: { name: 'Class' } })
  const { secret } = (await link.json()).data as { secret: string }

  const pupil = await newVisitor()
  await pupil.goto(`/shared#${secret}`)
  const title = pupil.getByRole('heading', { level: 1 })
  await pupil.getByRole('link', { name: 'Halves' }).click()
  await expect(title).toHaveText('Halves')
  await pupil.locator('video[aria-label="Outro"]').waitFor({ timeout: 60_000 })
  await expect(title).toHaveText('Halves')
  await skip(pupil).click()
  await expect(title).toHaveText('Quarters')
})
