import { watchLaterId } from '@kinora/contract/watching/watch-later.ts'
import { video } from '@kinora/contract/examples/samples.ts'
import { listVideos } from '@kinora/contract/videos/videos.ts'
import { listPositions } from '@kinora/contract/watching/history.ts'
import { addToPlaylist, listSavedForLater } from '@kinora/contract/watching/playlists.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, openPage, rejection, reply, signOut } from '../../../../testing/site.tsx'

const card = page.getByRole('article')
const menu = card.getByRole('button', { name: 'More actions' })
const later = card.getByRole('button', { name: 'Save for later' })

test('nothing to press lies on the picture, and a card has two tab stops', async () => {
  reply(listVideos, { items: [video], nextCursor: null })
  for (const last of [menu, card.getByRole('link', { name: video.videoOwner.fullname })]) {
    await openPage('/')
    await expect.element(last).toBeVisible()
    const still = card.element().querySelector('img')!
    const { x, y, width, height } = still.getBoundingClientRect()
    for (const [left, top] of [
      [0.5, 0.5],
      [0.9, 0.1],
      [0.1, 0.1],
    ] as const)
      expect(document.elementFromPoint(x + width * left, y + height * top)).toBe(still)
    const stops = [...card.element().querySelectorAll<HTMLElement>('a, button')].filter(
      ({ tabIndex }) => tabIndex >= 0,
    )
    expect(stops).toEqual([card.getByRole('link', { name: video.title }).element(), last.element()])
    signOut()
  }
})

test('the menu of a card saves for later with one press, and says when that fails', async () => {
  const saved: { videoId: string; entryId: string }[] = []
  reply(listVideos, { items: [video], nextCursor: null })
  reply(listSavedForLater, () => saved)
  reply(addToPlaylist, () => rejection('internal'))
  await openPage('/')
  await expect.element(menu).toHaveAccessibleDescription(video.title)
  await menu.click()
  await expect.element(card.getByRole('link', { name: video.videoOwner.fullname }).first()).toBeVisible()
  await later.click()
  await expect.element(card.getByRole('alert')).toMatchTextContent('This could not be saved.')
  reply(addToPlaylist, ({ params }) => {
    saved.push({ videoId: params['videoId']!, entryId: 'e1' })
    return { entryId: 'e1' }
  })
  await later.click()
  await expect.element(later).toHaveAttribute('aria-pressed', 'true')
  expect(callsOf(addToPlaylist).at(-1)?.params).toEqual({ playlistId: watchLaterId, videoId: video._id })
  await userEvent.keyboard('{Escape}')
  await expect.element(later).not.toBeInTheDocument()
  await expect.element(menu).toHaveFocus()
})

test('a live stream is neither watched nor in progress, whatever was saved', async () => {
  const stream = { ...video, _id: 'Kd83nCq1LmT0sWx2', isLive: true, duration: 1 } as const
  reply(listVideos, { items: [stream, video], nextCursor: null })
  reply(
    listPositions,
    [stream, video].map(({ _id }) => ({ videoId: _id, positionSeconds: 0, isFinished: true })),
  )
  await openPage('/')
  await expect.element(card.last().getByText('Watched', { exact: true })).toBeVisible()
  await expect.element(card.first().getByText('Live', { exact: true })).toBeVisible()
  expect(page.getByRole('progressbar').all()).toHaveLength(1)
  expect(card.first().getByText('Watched', { exact: true }).elements()).toEqual([])
})
