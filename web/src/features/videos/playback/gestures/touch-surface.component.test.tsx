import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Player } from '../state/player.ts'
import { TouchSurface } from './touch-surface.tsx'

const setTemporaryRate = vi.fn<Player['setTemporaryRate']>()
const togglePlay = vi.fn<() => void>()
const player = {
  currentState: () => ({ isPaused: false, volume: 1, isMuted: false, rate: 1.25 }),
  setTemporaryRate,
  togglePlay,
} as Partial<Player> as Player
const rates = () => setTemporaryRate.mock.calls.flat()

beforeEach(async () => {
  vi.clearAllMocks()
  await render(
    <TouchSurface
      player={player}
      durationSeconds={60}
      isFullScreen={false}
      areControlsHidden={false}
      onShowControls={() => {}}
      onHideControls={() => {}}
      onHint={() => {}}
    >
      <p>Video</p>
    </TouchSurface>,
  )
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('a hold restores the rate and is no click', () => {
  hold()
  expect(rates()).toEqual([2])
  release()
  expect(rates()).toEqual([2, 1.25])
  expect(togglePlay).not.toHaveBeenCalled()
})

test('a short press is a click', () => {
  send('pointerdown')
  release()
  expect(rates()).toEqual([])
  expect(togglePlay).toHaveBeenCalledOnce()
})

test('a hold that leaves the video and comes back is no click', () => {
  hold()
  send('pointerout', { relatedTarget: document.body })
  expect(rates()).toEqual([2, 1.25])
  release()
  expect(togglePlay).not.toHaveBeenCalled()
})

test('a hold ends when the window loses the focus', () => {
  hold()
  dispatchEvent(new FocusEvent('blur'))
  expect(rates()).toEqual([2, 1.25])
})

function hold(): void {
  send('pointerdown')
  vi.runAllTimers()
}

/** Ends a press, and waits until a click is known not to be the first of two. */
function release(): void {
  send('pointerup')
  send('click')
  vi.runAllTimers()
}

function send(type: string, init: PointerEventInit = {}): void {
  const options = { bubbles: true, isPrimary: true, pointerType: 'mouse', button: 0, detail: 1, ...init }
  page.getByText('Video').element().dispatchEvent(new PointerEvent(type, options))
}
