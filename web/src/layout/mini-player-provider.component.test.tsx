import type { User } from '@kinora/contract/accounts/users.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useContext } from 'react'
import { Link, MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { MiniPlayerContext } from '../features/videos/playback/mini/mini-player-context.ts'
import { WatchLog } from '../features/videos/playback/reports/watch-log.ts'
import { signIn, signOut } from '../features/accounts/sessions/api.ts'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { MiniPlayerProvider } from './mini-player-provider.tsx'

const ines = { _id: 'ines', username: 'ines' } as User
const tide = {
  videoId: 'tide',
  streamUrl: 'data:application/vnd.apple.mpegurl,',
  details: {
    title: 'Tide',
    artist: 'Ines Falk',
    poster: '',
    fileUrl: 'data:video/mp4,',
    storyboardUrl: null,
    captions: [],
    chapters: [],
    durationSeconds: 60,
    isPublic: true,
  },
  startSeconds: 0,
  watchLog: new WatchLog(),
  onWatched: () => undefined,
}
let client: QueryClient
const mini = () => page.getByRole('region', { name: 'Mini player' })

beforeEach(() => {
  client = new QueryClient()
})

test('the video of an account stops when it signs out', async () => {
  signIn(client, ines)
  await leave()
  signOut(client)
  await expect.element(mini()).not.toBeInTheDocument()
})

test('the video of a visitor continues when they sign in, and stops on the page of a video', async () => {
  signOut(client)
  await leave()
  signIn(client, ines)
  await expect.element(page.getByText('Signed in')).toBeVisible()
  await expect.element(mini()).toBeVisible()
  await page.getByRole('link', { name: 'Tide' }).click()
  await expect.element(mini()).not.toBeInTheDocument()
})

async function leave(): Promise<void> {
  await render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <MiniPlayerProvider>
          <Page />
        </MiniPlayerProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect.element(mini()).toBeVisible()
}

function Page() {
  const continueInCorner = useContext(MiniPlayerContext)
  const { authStatus } = useAuth()
  return (
    <>
      <button onClick={() => continueInCorner(tide)}>Leave</button>
      <Link to="/video/tide">Tide</Link>
      {authStatus && <p>Signed in</p>}
    </>
  )
}
