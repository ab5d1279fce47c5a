import { EventEmitter } from 'node:events'
import type Hls from 'hls.js'
import { expect, test, vi } from 'vitest'
import { keepNear, liveEdgeOf } from './live-edge.ts'

/** A viewer of a stream of 100 seconds whose target distance from the end is 3 seconds. */
function watchStream({ playbackRate = 1 } = {}) {
  const details = { live: true, edge: 100, fragmentStart: 0.02, startTimeOffset: -3, requestScheduled: 1 }
  const video = Object.assign(new EventTarget(), {
    currentTime: 97,
    playbackRate,
    paused: false,
    seeking: false,
    played: { length: 1 },
    play: () => Promise.resolve(),
  })
  class Stream extends EventEmitter {
    config = { maxLiveSyncPlaybackRate: 1, liveSyncDuration: 3 }
    lowLatencyMode = true
    latestLevelDetails = details
    levels = [{ details }]
    allAudioTracks = []
    stopLoad = vi.fn<() => void>()
    startLoad = vi.fn<() => void>()
    get targetLatency() {
      return this.config.liveSyncDuration
    }
    set targetLatency(seconds) {
      this.config.liveSyncDuration = seconds
    }
    get latency() {
      return details.edge - video.currentTime
    }
  }
  const stream = new Stream()
  const dispatch = (name: string) => video.dispatchEvent(new Event(name))
  const element = video as unknown as HTMLVideoElement
  const onJoin = vi.fn<() => void>()
  const HlsClass = { Events: { LEVEL_UPDATED: 'updated', DESTROYING: 'destroying' } }
  const moveTo = keepNear(stream as unknown as Hls, HlsClass as unknown as typeof Hls, element, onJoin)
  dispatch('timeupdate')
  return {
    stream,
    video,
    onJoin,
    dispatch,
    isNear: () => liveEdgeOf(element).isNear(),
    join: () => liveEdgeOf(element).join(),
    moveTo,
    seekTo(seconds: number) {
      video.currentTime = seconds
      dispatch('seeking')
      dispatch('timeupdate')
    },
    growTo(seconds: number) {
      details.edge = seconds
      stream.emit('updated', 'updated', { details })
      dispatch('timeupdate')
    },
  }
}

test('a viewer who is late plays faster until the target distance', () => {
  const { stream, video, dispatch, isNear, growTo } = watchStream()
  expect([isNear(), stream.config.maxLiveSyncPlaybackRate]).toEqual([true, 1])
  growTo(106)
  expect([isNear(), stream.config.maxLiveSyncPlaybackRate, stream.lowLatencyMode]).toEqual([false, 1.1, true])
  video.playbackRate = 1.1
  video.currentTime = 102
  dispatch('timeupdate')
  // near, but not yet where the others are
  expect([isNear(), video.playbackRate]).toEqual([true, 1.1])
  video.currentTime = 103
  dispatch('timeupdate')
  expect([video.playbackRate, stream.config.maxLiveSyncPlaybackRate]).toEqual([1, 1])
})

test('a viewer who is very late continues at the target distance', () => {
  const { video, growTo } = watchStream()
  growTo(120)
  expect(video.currentTime).toBe(117)
})

test('viewers who rewind, pause or play slower stay where they are', () => {
  const rewound = watchStream()
  rewound.seekTo(50)
  rewound.growTo(130)
  expect([rewound.video.currentTime, rewound.isNear(), rewound.stream.lowLatencyMode]).toEqual([
    50,
    false,
    false,
  ])

  const paused = watchStream()
  paused.video.paused = true
  paused.dispatch('pause')
  paused.growTo(120)
  paused.video.paused = false
  paused.growTo(121)
  expect([paused.video.currentTime, paused.stream.config.maxLiveSyncPlaybackRate]).toEqual([97, 1])

  const slow = watchStream()
  slow.video.playbackRate = 0.5
  slow.dispatch('ratechange')
  slow.growTo(120)
  expect([slow.video.currentTime, slow.stream.lowLatencyMode]).toEqual([97, false])
})

test('a viewer whose connection is lost, so that the player keeps more distance, is kept near', () => {
  const { video, dispatch, moveTo, growTo } = watchStream()
  moveTo(92)
  dispatch('seeking')
  dispatch('timeupdate')
  growTo(130)
  expect(video.currentTime).toBe(127)
})

test('a viewer with a saved slower speed stays where they are', () => {
  const { stream, video, seekTo, growTo, join } = watchStream({ playbackRate: 0.75 })
  const maxRates = [stream.config.maxLiveSyncPlaybackRate]
  seekTo(97)
  growTo(106)
  maxRates.push(stream.config.maxLiveSyncPlaybackRate)
  join()
  growTo(107)
  expect(video.currentTime).toBe(104)
  growTo(120)
  expect(video.currentTime).toBe(104)
  expect([...maxRates, stream.config.maxLiveSyncPlaybackRate]).toEqual([1, 1, 1])
})

test('a viewer who plays faster keeps the speed', () => {
  const chosen = watchStream({ playbackRate: 1.5 })
  chosen.growTo(104)
  expect([chosen.stream.config.maxLiveSyncPlaybackRate, chosen.video.playbackRate]).toEqual([1, 1.5])

  const held = watchStream()
  held.growTo(104)
  expect(held.stream.config.maxLiveSyncPlaybackRate).toBe(1.1)
  held.video.playbackRate = 2
  held.dispatch('ratechange')
  held.growTo(105)
  expect([held.stream.config.maxLiveSyncPlaybackRate, held.video.playbackRate]).toEqual([1, 2])
})

test('in players that do not say how far from the end they play, a viewer is near within 12 seconds', () => {
  const video = {
    currentTime: 89,
    seekable: { length: 1, end: () => 100 },
    play: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  }
  const edge = liveEdgeOf(video as unknown as HTMLVideoElement)
  expect(edge.isNear()).toBe(true)
  video.currentTime = 80
  expect(edge.isNear()).toBe(false)
  edge.join()
  expect([video.currentTime, edge.isNear()]).toEqual([94, true])
  expect(video.play).toHaveBeenCalledTimes(1)
})

test('a viewer whose stream is opened again after a failure is kept near', () => {
  const { video, dispatch, seekTo, growTo } = watchStream()
  dispatch('emptied')
  video.played = { length: 0 }
  seekTo(96)
  video.played = { length: 1 }
  dispatch('timeupdate')
  growTo(130)
  expect(video.currentTime).toBe(127)
})

test('a viewer who rewinds to the beginning is at the first frame', () => {
  const { video, seekTo } = watchStream()
  seekTo(0)
  expect(video.currentTime).toBeCloseTo(0.12)
})

test('a viewer who returns to the end is kept there again', () => {
  const { video, seekTo, growTo } = watchStream()
  seekTo(50)
  seekTo(97)
  growTo(120)
  expect(video.currentTime).toBe(117)
})

test('joining loads the playlists again, and continues at their target distance', () => {
  const { stream, video, onJoin, seekTo, growTo, join, isNear } = watchStream()
  seekTo(20)
  join()
  expect(onJoin).toHaveBeenCalledTimes(1)
  expect(stream.levels[0]?.details.requestScheduled).toBe(0)
  expect(stream.startLoad).toHaveBeenCalledTimes(1)
  // the playlist of partial segments ends later, and is followed more closely
  stream.latestLevelDetails.startTimeOffset = -1.5
  growTo(130)
  expect([video.currentTime, isNear()]).toEqual([128.5, true])
})

test('a recording plays at its own speed', () => {
  const { stream, video, growTo } = watchStream()
  growTo(106)
  video.playbackRate = 1.1
  stream.latestLevelDetails.live = false
  growTo(106)
  expect([video.playbackRate, stream.config.maxLiveSyncPlaybackRate]).toEqual([1, 1])
})
