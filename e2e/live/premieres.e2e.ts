import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { longClip, publish } from '../fixtures/clips.ts'
import { untilPlaying, videoState } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('a premiere begins for everybody at once, with a chat that is moderated and replayed', async ({
  page,
  browser,
  site,
}) => {
  test.setTimeout(240_000)
  await signIn(page)
  const videoId = await publish(page, 'Salt flats', { video: await longClip() })
  // the shortest time in which both browsers have opened the page
  const schedule = (seconds: number) =>
    page.request.patch(`${apiPrefix}/studio/videos/${videoId}`, {
      data: {
        visibility: 'scheduled',
        publishAt: new Date(Date.now() + seconds * 1000).toISOString(),
        isPremiere: true,
      },
    })
  expect((await schedule(3600)).ok()).toBe(true)

  const other = await browser.newContext({ baseURL: site.url })
  const viewer = await other.newPage()
  await signIn(viewer)
  await viewer.goto(`/video/${videoId}`)
  await expect(viewer.getByRole('timer')).toHaveText(/^(59|60|1:00):\d\d/)
  expect((await viewer.request.get(`/media/videos/${videoId}/master.m3u8`)).status()).toBe(404)
  await viewer.getByRole('button', { name: 'Remind me' }).click()
  await expect(viewer.getByRole('button', { name: 'Remind me', pressed: true })).toBeVisible()
  await page.goto(`/video/${videoId}`)
  await expect(page.getByRole('timer')).toBeVisible()

  const chatOf = (each: typeof page) => each.getByRole('region', { name: 'Chat' })
  // a new message is also announced
  const messageIn = (each: typeof page, text: string) =>
    chatOf(each).getByRole('listitem').filter({ hasText: text })
  await chatOf(viewer).getByRole('textbox', { name: 'Write a message' }).fill('Cannot wait')
  await chatOf(viewer).getByRole('button', { name: 'Send' }).click()
  await expect(messageIn(page, 'Cannot wait')).toBeVisible()

  expect((await schedule(4)).ok()).toBe(true)
  await page.reload()
  await viewer.reload()
  await Promise.all([untilPlaying(page, 1), untilPlaying(viewer, 1)])
  await expect
    .poll(async () => {
      const [one, two] = await Promise.all([videoState(page), videoState(viewer)])
      return Math.abs(one.currentTime - two.currentTime)
    })
    .toBeLessThan(1)

  await viewer.locator('video').evaluate((video) => ((video as HTMLVideoElement).currentTime = 0))
  await viewer.getByRole('button', { name: 'Go to live' }).click()
  await expect(viewer.getByText('You are watching together with everybody.')).toBeVisible()

  await chatOf(viewer).getByRole('textbox', { name: 'Write a message' }).fill('Buy my watches')
  await chatOf(viewer).getByRole('button', { name: 'Send' }).click()
  const spam = messageIn(page, 'Buy my watches')
  await spam.getByRole('button', { name: /^More actions/ }).click()
  await spam.getByRole('button', { name: 'Remove this message' }).click()
  await expect(messageIn(viewer, 'Buy my watches')).toBeHidden()

  // an hour later
  await site.runStatement(`update videos set premiere_at = premiere_at - interval '1 hour', chat_from = chat_from - interval '1 hour',
    chat_until = chat_until - interval '1 hour' where id = '${videoId}'`)
  await site.runStatement(
    `update chat_messages set sent_at = sent_at - interval '1 hour' where video_id = '${videoId}'`,
  )
  await viewer.reload()
  await chatOf(viewer).getByRole('button', { name: 'Show the chat' }).click()
  await expect(messageIn(viewer, 'Cannot wait')).toBeVisible()
  await expect(messageIn(viewer, 'Buy my watches')).toBeHidden()
  await other.close()
})
