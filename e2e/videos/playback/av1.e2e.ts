import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { encodeLongClip, publish } from '../../fixtures/clips.ts'
import { playsStream, untilPlaying, videoState } from '../../fixtures/player.ts'
import { type Site, startSite } from '../../fixtures/site.ts'
import { expect, test as base } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

const test = base.extend<object, { site: Site }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright derives fixture dependencies from the pattern
    async ({}, use) => {
      const site = await startSite({ AV1: 'true' })
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

// one site and one clip
test.describe.configure({ mode: 'serial' })

test.skip(process.env['BASE_URL'] !== undefined, 'needs a site with AV1')

let published: Promise<string> | undefined

/** Publishes a clip of twelve seconds in 144p and waits until AV1 is offered. */
async function publishAv1(page: Page, site: Site): Promise<string> {
  await signIn(page)
  published ??= (async () => {
    const encoding = '-t 12 -vf scale=256:144 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 48 -c:a aac'
    const buffer = await encodeLongClip('mp4', encoding.split(' '))
    const id = await publish(page, randomUUID(), {
      video: { name: 'video.mp4', mimeType: 'video/mp4', buffer },
    })
    await expect.poll(async () => (await page.request.get(`/api/v1/video/${id}`)).text()).toContain('"ready"')
    await site.runStatement(
      `insert into daily_views (video_id, day, views) values ('${id}', current_date, 100)`,
    )
    // the job is scheduled every five minutes
    await site.runStatement(`insert into pgboss.job (name, data) values ('playback.make_av1', '{}')`)
    await expect
      .poll(async () => (await page.request.get(`/media/videos/${id}/av1.m3u8`)).status(), {
        timeout: 60_000,
      })
      .toBe(200)
    return id
  })()
  return published
}

/** Capabilities as a browser reports them on a device with or without a hardware decoder. The machine of tests has none. */
const withDecoder = (page: Page, powerEfficient: boolean) =>
  page.addInitScript((isEfficient) => {
    const { decodingInfo } = MediaCapabilities.prototype
    MediaCapabilities.prototype.decodingInfo = async function (configuration: MediaDecodingConfiguration) {
      const found = await decodingInfo.call(this, configuration)
      return { ...found, smooth: found.supported, powerEfficient: found.supported && isEfficient }
    }
  }, powerEfficient)

/** The names of the renditions of which segments were requested. */
function watchRenditions(page: Page): Set<string> {
  const names = new Set<string>()
  page.on('request', (request) => {
    const name = /\/((?:av1-)?\d+|source)\/\d+\.m4s$/.exec(request.url())?.[1]
    if (name) names.add(name)
  })
  return names
}

test('devices that decode AV1 with ease play it, and others do not @nightly', async ({ page, site }) => {
  const id = await publishAv1(page, site)
  const renditions = watchRenditions(page)
  await withDecoder(page, true)
  await page.goto(`/video/${id}`)
  await untilPlaying(page, 5)
  expect([...renditions]).toEqual(['av1-144'])
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Stats for nerds' }).click()
  await page
    .getByRole('region', { name: 'Stats for nerds' })
    .getByText(/^av01\.0\.00M\.08, mp4a/)
    .waitFor()

  renditions.clear()
  await withDecoder(page, false)
  await page.goto(`/video/${id}`)
  await untilPlaying(page, 1)
  expect([...renditions]).toEqual(['source'])
})

test('AV1 that cannot be decoded is left for H.264 at the same position @nightly', async ({ page, site }) => {
  const id = await publishAv1(page, site)
  const renditions = watchRenditions(page)
  await withDecoder(page, true)
  await page.route(/av1-144\/2\.m4s$/, async (route) => {
    const response = await route.fetch()
    const body = await response.body()
    body.fill(0xa5, body.indexOf('mdat') + 4)
    await route.fulfill({ response, body })
  })
  await page.goto(`/video/${id}?t=6`)
  await untilPlaying(page, 6)
  expect([...renditions]).toContain('av1-144')
  await untilPlaying(page, 9)
  expect([...renditions]).toContain('source')
  expect((await videoState(page)).currentTime).toBeLessThan(12)
  expect(await playsStream(page)).toBe(true)
})
