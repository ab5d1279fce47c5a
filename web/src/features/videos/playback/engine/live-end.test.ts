import { EventEmitter } from 'node:events'
import type Hls from 'hls.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endWithStream, hasRunDry } from './live-end.ts'

/** An element that waits with what it has loaded until a time. */
const waiting = (currentTime: number, endSeconds: number) => ({
  currentTime,
  readyState: 2,
  buffered: { length: 1, start: () => 0, end: () => endSeconds },
})

test('playback has run dry only where it waits with almost all of the stream', () => {
  expect(hasRunDry(waiting(173.304, 173.304), 173.423)).toBe(true)
  expect(hasRunDry(waiting(170, 170), 173.423)).toBe(false)
  expect(hasRunDry({ ...waiting(170, 173.4), readyState: 4 }, 173.423)).toBe(false)
})

test('ends playback that waits for frames which a stream that has ended lacks', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const details = { live: true, edge: 173.423 }
  const events = new EventEmitter()
  const ended = vi.fn<() => void>()
  events.on('eos', ended)
  const stream = Object.assign(events, { latestLevelDetails: details, trigger: events.emit.bind(events) })
  const video = Object.assign(new EventTarget(), waiting(173.304, 173.304))
  const HlsClass = { Events: { BUFFER_EOS: 'eos', LEVEL_UPDATED: 'updated', DESTROYING: 'destroying' } }
  endWithStream(
    stream as unknown as Hls,
    HlsClass as unknown as typeof Hls,
    video as unknown as HTMLVideoElement,
  )
  video.dispatchEvent(new Event('waiting'))
  vi.advanceTimersByTime(3000)
  expect(ended).not.toHaveBeenCalled()
  details.live = false
  events.emit('updated', 'updated', { details })
  vi.advanceTimersByTime(3000)
  expect(ended).toHaveBeenCalledTimes(1)
})
