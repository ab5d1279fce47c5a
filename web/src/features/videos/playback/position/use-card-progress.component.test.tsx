import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { finishedKeyOf, markFinished } from '../up-next/finished-videos.ts'
import { positionsQuery } from './api.ts'
import { useCardProgress } from './use-card-progress.ts'

let client: QueryClient
const progress = () => page.getByRole('status')

beforeEach(() => {
  localStorage.clear()
  client = new QueryClient()
  client.setQueryData(positionsQuery.queryKey, new Map([['started', 12]]))
})

test('a finished video is marked for its account only', async () => {
  const { rerender } = await render(<Progress userId="ines" />)
  await expect.element(progress()).toHaveTextContent('started 12')
  markFinished(client, 'ines', 'ended')
  await expect.element(progress()).toHaveTextContent('ended Infinity, started 12')
  await rerender(<Progress userId="noor" />)
  await expect.element(progress()).not.toHaveTextContent('ended')
  await rerender(<Progress userId={null} />)
  await expect.element(progress()).toBeEmptyDOMElement()
})

test('a video that is watched again has its position, and other tabs update both', async () => {
  await render(<Progress userId="ines" />)
  markFinished(client, 'ines', 'started')
  markFinished(client, 'ines', 'ended')
  await expect.element(progress()).toHaveTextContent('started 12, ended Infinity')
  localStorage.setItem(finishedKeyOf('ines'), '["other"]')
  dispatchEvent(new StorageEvent('storage', { key: finishedKeyOf('ines') }))
  await expect.element(progress()).toHaveTextContent('other Infinity, started 12')
})

function Progress(props: { userId: string | null }) {
  return (
    <QueryClientProvider client={client}>
      <ProgressList {...props} />
    </QueryClientProvider>
  )
}

function ProgressList({ userId }: { userId: string | null }) {
  const entries = [...useCardProgress(userId)].map(([id, seconds]) => `${id} ${seconds}`)
  return <output>{entries.join(', ')}</output>
}
