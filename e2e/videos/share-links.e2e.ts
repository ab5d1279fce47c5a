import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createShareLink } from '@kinora/contract/videos/share-links.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { putVideoEmbeds } from '@kinora/contract/videos/embeds.ts'
import { urlOf } from '@kinora/contract/client.ts'
import type { Page } from 'playwright-core'
import { longClip, publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

/** A video of a new account, whose visibility no other test needs. */
async function publishOwn(page: Page): Promise<string> {
  await signIn(page)
  return publish(page, 'Fractions, lesson three', { video: await longClip() })
}

test('a class without accounts watches a private lesson by a link with a password until it is revoked', async ({
  page,
  newVisitor,
}) => {
  const id = await publishOwn(page)
  await page.request.patch(urlOf(changeOwnVideo, { id }), { data: { visibility: 'private' } })
  await page.goto(`/studio/${id}`)
  await page.getByRole('button', { name: 'Create a share link' }).click()
  await page.getByLabel('Who gets it').fill('Class 4b')
  await page.getByLabel('Password (optional)').fill('seagull')
  const response = page.waitForResponse(
    (each) => each.url().endsWith('/share-links') && each.ok() && each.request().method() === 'POST',
  )
  await page.getByRole('button', { name: 'Create link' }).click()
  const { data } = (await (await response).json()) as { data: { secret: string } }
  const address = `/shared#${data.secret}`

  const pupil = await newVisitor()
  const requested: string[] = []
  pupil.on('request', (request) => requested.push(request.url(), request.headers()['referer'] ?? ''))
  await pupil.goto(address)
  await pupil.getByLabel('Password').fill('seagull')
  await pupil.keyboard.press('Enter')
  const video = pupil.locator('video')
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.5)
  // the secret is in no request
  expect(requested.filter((text) => text.includes(data.secret))).toEqual([])

  await page.getByRole('button', { name: 'Revoke the link for Class 4b' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('The link for Class 4b is revoked.')).toBeVisible()
  const files = requested.filter((url) => /\/media\/shared\/.*\.m4s/.test(url))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect((await pupil.request.get(file)).status()).toBe(404)
  // the open page says so, and so does the address
  await expect(pupil.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
  await expect(video).toHaveCount(0)
  await pupil.reload()
  await expect(pupil.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
})

test('a club embeds a video that another site cannot, and a private one by its link', async ({
  page,
  siteUrl,
}) => {
  const id = await publishOwn(page)
  const link = await page.request.post(urlOf(createShareLink, { id }), { data: { name: 'Club' } })
  const { data } = (await link.json()) as { data: { secret: string } }
  const pages = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    const address = request.url === '/link' ? `/embed/shared#${data.secret}` : `/embed/${id}`
    const policy = request.url === '/hidden' ? 'no-referrer' : 'strict-origin-when-cross-origin'
    response.end(
      `<!doctype html><iframe referrerpolicy="${policy}" src="${siteUrl}${address}" width="640" height="360"></iframe>`,
    )
  })
  pages.listen(0, '127.0.0.1')
  try {
    await once(pages, 'listening')
    const { port } = pages.address() as AddressInfo
    const embed = page.frameLocator('iframe')
    const choose = (sites: string[]) =>
      page.request.put(urlOf(putVideoEmbeds, { id }), { data: { own: { allowed: 'sites', sites } } })
    await choose([`127.0.0.1:${port}`])
    await page.goto(`http://127.0.0.1:${port}/`)
    await expect(embed.locator('video')).toBeVisible()
    await page.goto(`http://localhost:${port}/`)
    await expect(embed.getByText('This site may not show this video')).toBeVisible()
    // a page that hides its address gets nothing either: the browser refuses the frame
    await page.goto(`http://localhost:${port}/hidden`)
    await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/)
    await expect(embed.locator('video')).toHaveCount(0)
    await page.request.patch(urlOf(changeOwnVideo, { id }), { data: { visibility: 'private' } })
    await page.goto(`http://127.0.0.1:${port}/link`)
    await expect(embed.locator('video')).toBeVisible()
  } finally {
    pages.close()
    pages.closeAllConnections()
  }
})
