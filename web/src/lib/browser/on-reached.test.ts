import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onReached } from './on-reached.ts'

/** The part of an element that plays: its position follows the clock while it is not paused. */
class Media extends EventTarget {
  paused = true
  seeking = false
  playbackRate = 1
  #from = 0
  #atMs = 0

  get currentTime() {
    return this.paused ? this.#from : this.#from + ((Date.now() - this.#atMs) / 1000) * this.playbackRate
  }

  set(changes: Partial<Pick<Media, 'paused' | 'playbackRate'>> & { seconds?: number }) {
    const { seconds = this.currentTime, ...values } = changes
    Object.assign(this, values)
    this.#from = seconds
    this.#atMs = Date.now()
    if (changes.seconds !== undefined) {
      this.seeking = true
      this.dispatchEvent(new Event('seeking'))
      this.seeking = false
    }
    for (const event of ['playing', 'pause', 'seeked', 'ratechange']) this.dispatchEvent(new Event(event))
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(seconds: number) {
  const media = new Media()
  const reached: number[] = []
  const stop = onReached(media as unknown as HTMLMediaElement, seconds, () => {
    reached.push(Math.round(media.currentTime * 10) / 10)
    media.set({ paused: true })
  })
  return { media, reached, stop }
}

test('pauses where a part ends, at any rate', () => {
  const { media, reached } = watch(10)
  media.set({ paused: false })
  vi.advanceTimersByTime(2000)
  media.set({ playbackRate: 2 })
  vi.advanceTimersByTime(3900)
  expect(reached).toEqual([])
  vi.advanceTimersByTime(200)
  expect([reached, media.paused]).toEqual([[10], true])
})

test('plays on after the pause, and pauses again after a seek back', () => {
  const { media, reached } = watch(10)
  media.set({ paused: false, seconds: 9 })
  vi.advanceTimersByTime(2000)
  media.set({ paused: false })
  vi.advanceTimersByTime(5000)
  expect(reached).toHaveLength(1)
  media.set({ seconds: 8 })
  vi.advanceTimersByTime(5000)
  expect(reached).toHaveLength(2)
})

test('a seek beyond the end does not pause', () => {
  const { media, reached } = watch(10)
  media.set({ paused: false })
  media.set({ seconds: 12 })
  vi.advanceTimersByTime(5000)
  expect([reached, media.paused]).toEqual([[], false])
})

test('does nothing after it was stopped', () => {
  const { media, reached, stop } = watch(10)
  media.set({ paused: false, seconds: 9 })
  stop()
  vi.advanceTimersByTime(5000)
  expect(reached).toEqual([])
})
