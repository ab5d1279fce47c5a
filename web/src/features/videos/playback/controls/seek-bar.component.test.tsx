import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { SeekBar } from './seek-bar.tsx'

const onSeek = vi.fn<(seconds: number) => void>()
const onSeekBy = vi.fn<(seconds: number) => void>()
const bar = () => page.getByRole('slider', { name: 'Seek' })

beforeEach(async () => {
  onSeek.mockReset()
  onSeekBy.mockReset()
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <div style={{ position: 'fixed', insetInlineStart: 0, insetBlockEnd: 100, width: 300 }}>
        <SeekBar
          currentSeconds={65}
          durationSeconds={300}
          buffered={[{ startSeconds: 60, endSeconds: 120 }]}
          storyboardUrl={null}
          chapters={[
            { startSeconds: 0, endSeconds: 60, title: 'Start' },
            { startSeconds: 60, endSeconds: 300, title: 'The view' },
          ]}
          isIdle={false}
          onSeek={onSeek}
          onSeekBy={onSeekBy}
        />
      </div>
    </QueryClientProvider>,
  )
})

test('says position, length and chapter', async () => {
  await expect.element(bar()).toHaveAttribute('aria-valuenow', '65')
  await expect.element(bar()).toHaveAttribute('aria-valuetext', '1 minute 5 seconds of 5 minutes, The view')
})

test('keys seek by steps, to the start and to the end', async () => {
  ;(bar().element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}{ArrowUp}{ArrowDown}{PageUp}{PageDown}')
  expect(onSeekBy.mock.calls.flat()).toEqual([5, -5, 5, -5, 30, -30])
  await userEvent.keyboard('{Home}{End}')
  expect(onSeek.mock.calls.flat()).toEqual([0, 300])
  await userEvent.keyboard('{Control>}{ArrowRight}{/Control}')
  expect(onSeekBy).toHaveBeenCalledTimes(6)
})

test('a click seeks to its place, and the pointer shows time and chapter', async () => {
  const { width } = bar().element().getBoundingClientRect()
  await bar().click({ position: { x: width / 10, y: 5 } })
  expect(onSeek).toHaveBeenCalledExactlyOnceWith(expect.closeTo(30, -1))
  await bar().hover({ position: { x: width / 2, y: 5 } })
  await expect.element(page.getByText('02:30')).toBeVisible()
  await expect.element(page.getByText('The view')).toBeVisible()
})
