import { beforeEach, expect, it } from 'vitest'
import { followClock } from './follow-clock.ts'

class Media extends EventTarget {
  paused = false
  ended = false
  seeking = false
  readyState = 4
  duration = 600
  playbackRate = 1
  #currentTime = 0
  get currentTime() {
    return this.#currentTime
  }
  set currentTime(seconds: number) {
    this.#currentTime = seconds
    this.emit('seeking')
  }
  /** Playback, not a seek. */
  reach(seconds: number) {
    this.#currentTime = seconds
    this.emit('timeupdate')
  }
  emit(type: string) {
    this.dispatchEvent(new Event(type))
  }
  play = () => Promise.resolve()
}

let media: Media
let common: number
let reports: boolean[]
const follow = () =>
  followClock(
    media as unknown as HTMLVideoElement,
    () => common,
    (isFollowing) => reports.push(isFollowing),
  )

beforeEach(() => {
  media = new Media()
  common = 100
  reports = []
})

it('jumps to the common position, and catches up or waits by its rate when it is slightly off', () => {
  follow()
  expect(media.currentTime).toBe(100)
  for (const [seconds, rate] of [
    [99, 1.25],
    [99.6, 1.1],
    [99.9, 1],
    [100.5, 0.9],
  ] as const) {
    media.reach(seconds)
    expect(media.playbackRate).toBeCloseTo(rate)
  }
  media.reach(90)
  expect(media.currentTime).toBe(100)
  expect(reports).toEqual([])
})

it('lets the viewer pause and rewind, and leads back', () => {
  const follower = follow()
  media.currentTime = 40
  media.reach(41)
  expect([media.currentTime, media.playbackRate, reports]).toEqual([41, 1, [false]])
  follower.join()
  expect([media.currentTime, reports]).toEqual([100, [false, true]])
  media.paused = true
  media.emit('pause')
  common = 110
  media.paused = false
  media.emit('play')
  media.reach(101)
  expect([media.currentTime, reports]).toEqual([101, [false, true, false]])
})

it('goes no further than the common position', () => {
  follow()
  media.currentTime = 300
  expect(media.currentTime).toBe(100)
  media.currentTime = 40
  media.playbackRate = 2
  media.reach(99.9)
  expect(reports).toEqual([false, true])
  media.reach(104)
  expect(media.currentTime).toBe(100)
})

it('leaves the player alone after the end, and once it is stopped', () => {
  const follower = follow()
  common = 700
  media.currentTime = 10
  media.reach(12)
  expect(media.currentTime).toBe(12)
  follower.stop()
  common = 100
  media.reach(20)
  expect(media.currentTime).toBe(20)
})
