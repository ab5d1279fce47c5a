import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usualStallMs, watchStalls } from './transfer-stalls.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('repeats a transfer after each minute without progress, and gives up after ten', () => {
  const [repeat, giveUp] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const { onSent } = watchStalls({ repeat, giveUp })
  vi.advanceTimersByTime(usualStallMs - 1)
  onSent(1)
  vi.advanceTimersByTime(usualStallMs - 1)
  expect(repeat).not.toHaveBeenCalled()
  vi.advanceTimersByTime(5 * usualStallMs)
  expect(repeat).toHaveBeenCalledTimes(5)
  onSent(2)
  vi.advanceTimersByTime(9 * usualStallMs)
  expect(repeat).toHaveBeenCalledTimes(14)
  expect(giveUp).not.toHaveBeenCalled()
  vi.advanceTimersByTime(20 * usualStallMs)
  expect([repeat, giveUp].map(({ mock }) => mock.calls.length)).toEqual([14, 1])
})

test('counts the same bytes again as no progress', () => {
  const giveUp = vi.fn<() => void>()
  const { onSent } = watchStalls({ repeat: () => onSent(5), giveUp })
  onSent(5)
  vi.advanceTimersByTime(10 * usualStallMs)
  expect(giveUp).toHaveBeenCalledTimes(1)
})
