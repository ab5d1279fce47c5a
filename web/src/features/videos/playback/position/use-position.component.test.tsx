import { putPosition } from '@kinora/contract/watching/history.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { playbackKeys } from '../../../../lib/query-keys.ts'
import { callsOf, reply } from '../../../../testing/site.tsx'
import type { PlayerHandle } from '../state/player.ts'
import { localPosition, positionsKeyOf, saveLocalPosition } from './local-positions.ts'
import { usePosition } from './use-position.ts'

let client: QueryClient
const seekTo = vi.fn<(seconds: number) => void>()
const start = () => page.getByRole('status')

beforeEach(() => {
  localStorage.clear()
  seekTo.mockClear()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
})

test('a position in this browser belongs to one account', async () => {
  saveLocalPosition('ines', 'video', 40)
  client.setQueryData(playbackKeys.position('video'), { positionSeconds: 0 })
  await render(<Player userId="noor" />)
  await expect.element(start()).toHaveTextContent('0')
  await page.getByRole('button', { name: 'Report' }).click()
  expect(localPosition('ines', 'video')).toBe(40)
  expect(localPosition('noor', 'video')).toBe(50)
  expect(localPosition(null, 'video')).toBe(0)
})

test('a position is sent with the length of the video that is loaded, once it is known', async () => {
  reply(putPosition, null)
  client.setQueryData(playbackKeys.position('video'), { positionSeconds: 0 })
  await render(<Player userId="ines" />)
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByRole('button', { name: 'Load' }).click()
  await page.getByRole('button', { name: 'Report' }).click()
  await expect
    .poll(() => callsOf(putPosition).map(({ body }) => body))
    .toEqual([{ positionSeconds: 50 }, { positionSeconds: 50, durationSeconds: 100 }])
})

test('nothing is restored or saved until it is known who watches', async () => {
  saveLocalPosition(null, 'video', 40)
  const { rerender } = await render(<Player userId={undefined} />)
  await expect.element(start()).toHaveTextContent('0')
  await page.getByRole('button', { name: 'Report' }).click()
  expect(Object.keys(localStorage)).toEqual([positionsKeyOf(null)])
  expect(localPosition(null, 'video')).toBe(40)
  expect(seekTo).not.toHaveBeenCalled()

  await rerender(<Player userId={null} />)
  await expect.poll(() => seekTo.mock.calls).toEqual([[40]])
})

test('a visitor starts where they stopped, without a jump', async () => {
  saveLocalPosition(null, 'video', 40)
  await render(<Player userId={null} />)
  await expect.element(start()).toHaveTextContent('40')
  expect(seekTo).not.toHaveBeenCalled()
})

function Player(props: { userId: string | null | undefined }) {
  return (
    <QueryClientProvider client={client}>
      <Position {...props} />
    </QueryClientProvider>
  )
}

function Position({ userId }: { userId: string | null | undefined }) {
  const began = useRef(0)
  const player = useRef<PlayerHandle>({
    seekTo,
    currentSeconds: () => began.current,
    media: () => null,
    onTime: () => () => {},
  })
  const { startSeconds, onPosition } = usePosition({
    videoId: 'video',
    userId,
    requestedSeconds: undefined,
    durationSeconds: 100,
    player,
  })
  const [first] = useState(startSeconds)
  const [loadedSeconds, setLoadedSeconds] = useState(Infinity)
  useLayoutEffect(() => {
    began.current = first
  })
  return (
    <>
      <output>{first}</output>
      <button onClick={() => setLoadedSeconds(100)}>Load</button>
      <button onClick={() => onPosition(50, false, loadedSeconds)}>Report</button>
    </>
  )
}
