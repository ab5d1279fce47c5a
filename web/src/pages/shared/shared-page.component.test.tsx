import type { Failure } from '@kinora/contract/failure.ts'
import { failureExampleOf } from '@kinora/contract/examples.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { getChat, listChatMessages } from '@kinora/contract/live/chat.ts'
import { openShareLink } from '@kinora/contract/videos/share-links.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getSharedPlaylist, getSharedVideo } from '@kinora/contract/watching/shared-playlists.ts'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const refusal = ({ code, reason, message }: Failure) => {
  const json = failureExampleOf({ code, reason, message })
  return Response.json(json, { status: json.statusCode })
}
const opened = exampleData(openShareLink)
const title = opened.video?.title ?? ''
const heading = (name: string) => page.getByRole('heading', { level: 1, name })

test('a link with a password asks for it, says that it is wrong, and remembers the visit', async () => {
  reply(openShareLink, ({ body }) => {
    if (body['visit'] === opened.visit || body['password'] === 'seagull') return opened
    return refusal(body['password'] ? videoErrors.sharePasswordWrong : videoErrors.sharePasswordRequired)
  })
  await openPage('/shared#secret')
  await expect.element(heading('This link has a password')).toBeVisible()
  const password = page.getByLabelText('Password')
  await userEvent.fill(password, 'gull')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('This password is wrong')).toBeVisible()
  await userEvent.fill(password, 'seagull')
  await userEvent.keyboard('{Enter}')
  await expect.element(heading(title)).toBeVisible()
  await openPage('/shared#secret')
  await expect.element(heading(title)).toBeVisible()
  expect(callsOf(openShareLink).at(-1)?.body).toEqual({ secret: 'secret', visit: opened.visit })
})

test('shows neither controls of an account nor a download that the link does not allow', async () => {
  reply(openShareLink, opened)
  await openPage('/shared#secret')
  await expect.element(heading(title)).toBeVisible()
  expect(page.getByRole('main').getByRole('link', { name: 'Download' }).elements()).toEqual([])
  expect(
    page
      .getByRole('main')
      .getByRole('button', { name: /like|subscribe/i })
      .elements(),
  ).toEqual([])
})

test('a link that has ended says so', async () => {
  reply(openShareLink, () => refusal(videoErrors.shareLinkGone))
  await openPage('/shared#secret')
  await expect.element(heading('This link does not work any more')).toBeVisible()
})

test('a link to a playlist lists its videos, and plays the chosen one above them', async () => {
  reply(openShareLink, { ...opened, video: null })
  await openPage('/shared#secret')
  await expect.element(heading(exampleData(getSharedPlaylist).title)).toBeVisible()
  await page.getByRole('link', { name: title }).click()
  await expect.element(heading(title)).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Playlist' })).toBeVisible()
  expect(location.hash).toBe('#secret')
  expect(callsOf(getSharedVideo).map(({ body }) => body)).toEqual([
    { visit: opened.visit, videoId: opened.video?._id },
  ])
})

test('a video that is not in the playlist of a link says so above the others', async () => {
  reply(openShareLink, { ...opened, video: null })
  reply(getSharedVideo, () => refusal(videoErrors.sharedVideoUnlisted))
  await openPage('/shared?video=removed#secret')
  await expect.element(heading('This video is not in this list')).toBeVisible()
  await expect.element(page.getByRole('link', { name: title })).toBeVisible()
})

test('a frame shows no list, but opens it in a tab of its own', async () => {
  reply(openShareLink, { ...opened, video: null })
  await openPage('/embed/shared#secret')
  await expect
    .element(page.getByRole('link', { name: 'Open in a new tab' }))
    .toHaveAttribute('href', '/shared#secret')
})

const withChat = { ...opened, video: opened.video && { ...opened.video, hasChat: true as const } }

test('a link has the chat of its video, which it lets people read', async () => {
  reply(openShareLink, withChat)
  reply(getChat, { ...exampleData(getChat), isOpen: true, refusal: 'link' })
  await openPage('/shared#secret')
  const chat = page.getByRole('region', { name: 'Chat' })
  await expect.element(chat.getByText(/^You read along by a link/)).toBeVisible()
  expect(callsOf(getChat)[0]).toMatchObject({ query: { visit: opened.visit } })
  expect(callsOf(listChatMessages)[0]).toMatchObject({ query: { visit: opened.visit } })
})

test('a frame has the chat beside its player if its address says so', async () => {
  reply(openShareLink, withChat)
  await openPage('/embed/shared#secret')
  await expect.element(page.getByRole('region', { name: 'Video player' })).toBeVisible()
  expect(callsOf(getChat)).toEqual([])
  await openPage('/embed/shared?chat=1#secret')
  await expect.element(page.getByRole('region', { name: 'Chat' })).toBeVisible()
})
