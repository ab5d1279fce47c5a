import { randomUUID } from 'node:crypto'
import { encodeLongClip, publish } from '../../fixtures/clips.ts'
import { untilPlaying } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })

test('a cut video plays across its joins without a stall, and seeks into each range', async ({ page }) => {
  await signIn(page)
  const encoding = '-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -g 24 -c:a aac'
  const buffer = await encodeLongClip('mp4', encoding.split(' '))
  const id = await publish(page, randomUUID(), {
    video: { name: 'video.mp4', mimeType: 'video/mp4', buffer },
  })
  const keep = [range(1.5, 4.25), range(9.5, 12), range(13, 20.25)]
  const response = await page.request.put(`/api/v1/videos/${id}/cut`, { data: { keep } })
  expect(response.status()).toBe(200)

  const refused: string[] = []
  page.on('response', (each) => {
    if (each.url().includes('/media/') && each.status() >= 400) refused.push(each.url())
  })
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const video = page.locator('video')
  expect(await video.evaluate((element) => (element as HTMLVideoElement).duration)).toBeCloseTo(12.5, 0)

  // once the segments at the joins are encoded, two of them are played without a wait, a jump or a hole between them
  const watched = await video.evaluate(async (element) => {
    const media = element as HTMLVideoElement
    const interruptions: string[] = []
    for (const name of ['waiting', 'seeking'])
      media.addEventListener(name, () => interruptions.push(`${name} at ${media.currentTime}`))
    media.pause()
    media.currentTime = 2
    await new Promise((resolve) => {
      const check = () => {
        const { buffered } = media
        if (buffered.length > 0 && buffered.end(buffered.length - 1) >= 8) resolve(undefined)
      }
      media.addEventListener('progress', check)
      check()
    })
    await media.play()
    interruptions.length = 0
    await new Promise((resolve) => {
      media.addEventListener('timeupdate', () => media.currentTime > 7 && resolve(undefined))
    })
    return { interruptions, ranges: media.buffered.length }
  })
  expect(watched).toEqual({ interruptions: [], ranges: 1 })

  for (const seconds of [1, 3.5, 9]) {
    await video.evaluate((element, at) => {
      ;(element as HTMLVideoElement).currentTime = at
    }, seconds)
    expect(await untilPlaying(page, seconds)).toBeLessThan(seconds + 3)
  }
  expect(refused).toEqual([])
  await expect
    .poll(() => video.evaluate((element) => (element as HTMLVideoElement).ended), { timeout: 30_000 })
    .toBe(true)
})
