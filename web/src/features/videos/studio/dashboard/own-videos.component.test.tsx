import type { Video } from '@kinora/contract/videos/videos.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { OwnVideos } from './own-videos.tsx'

const video: Video = {
  _id: 'tide',
  title: 'Tide',
  description: '',
  thumbnail: '',
  videoFile: '',
  streamUrl: '',
  storyboardUrl: null,
  duration: 60,
  width: 1280,
  height: 720,
  views: 0,
  createdAt: '2026-01-01T12:00:00.000Z',
  totalSubs: 0,
  totalLikes: 0,
  videoOwner: { _id: 'ines', username: 'ines', fullname: 'Ines Falk', avatar: '' },
  processing: { state: 'ready', progress: 1, reason: null },
  visibility: 'private',
}

test('a video that waits for approval says so', async () => {
  const videos = [video, { ...video, _id: 'salt', title: 'Salt', heldVisibility: 'public' as const }]
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <OwnVideos videos={videos} username="ines" />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const rows = page.getByRole('listitem')
  await expect.element(rows.nth(1).getByText('Waits for approval')).toBeVisible()
  await expect.element(rows.nth(0).getByText('Waits for approval')).not.toBeInTheDocument()
})

test('only videos that are not public say who can see them', async () => {
  const videos = [video, { ...video, _id: 'salt', title: 'Salt', visibility: 'public' as const }]
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <OwnVideos videos={videos} username="ines" />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const rows = page.getByRole('listitem')
  await expect.element(rows.nth(0).getByText('Private')).toBeVisible()
  expect(rows.nth(1).getByText('Public').elements()).toEqual([])
})

test('a failure says what the server knows: not every original plays', async () => {
  const reason = 'This video could not be converted, so many browsers cannot play it.'
  const videos = [{ ...video, processing: { state: 'failed' as const, progress: 1, reason } }]
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <OwnVideos videos={videos} username="ines" />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await expect.element(page.getByText(reason, { exact: true })).toBeVisible()
})
