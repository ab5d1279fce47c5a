import { video } from '@kinora/contract/examples/samples.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { MemoryRouter } from 'react-router'
import { UpNextCard } from './up-next-card.tsx'

const card = page.getByRole('region', { name: 'Up next' })
const onOpen = vi.fn<() => void>()
const onReplay = vi.fn<() => void>()

const show = (opensItself: boolean) =>
  render(
    <MemoryRouter>
      <UpNextCard
        video={{ ...video, thumbnail: 'data:,' }}
        to="/video/next"
        opensItself={opensItself}
        onOpen={onOpen}
        onReplay={onReplay}
      />
    </MemoryRouter>,
  )

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onOpen.mockReset()
  onReplay.mockReset()
})
afterEach(() => void vi.useRealTimers())

test('without autoplay the next video waits beside a replay', async () => {
  await show(false)
  await expect.element(card.getByRole('link', { name: 'Next' })).toHaveAttribute('href', '/video/next')
  await expect.element(page.getByRole('status')).toHaveTextContent(`Up next: “${video.title}”.`)
  await vi.advanceTimersByTimeAsync(20_000)
  await userEvent.keyboard('{Escape}')
  expect(onOpen).not.toHaveBeenCalled()
  await card.getByRole('button', { name: 'Replay' }).click()
  expect(onReplay).toHaveBeenCalledOnce()
})

test('with autoplay the next video opens after five seconds, unless Escape stops it', async () => {
  await show(true)
  await expect.element(card.getByText('Up next in 5')).toBeVisible()
  await expect.element(page.getByRole('status')).toMatchTextContent(/^Up next: “.*”\. Starts in 5 seconds/)
  for (let second = 0; second < 5; second += 1) await vi.advanceTimersByTimeAsync(1000)
  await expect.poll(() => onOpen.mock.calls.length).toBe(1)
})

test('Escape stops the countdown', async () => {
  await show(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(card).not.toBeInTheDocument()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(onOpen).not.toHaveBeenCalled()
})
