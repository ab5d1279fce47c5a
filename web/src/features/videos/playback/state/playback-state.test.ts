import { describe, expect, it } from 'vitest'
import {
  clampSeconds,
  initialPlayback,
  nextRate,
  playbackAfter,
  type PlaybackEvent,
  resumeSeconds,
  displayDuration,
  displaySeconds,
} from './playback-state.ts'

const after = (...events: PlaybackEvent[]) => events.reduce(playbackAfter, initialPlayback)

describe('playbackAfter', () => {
  it('keeps the reason of a stall until data arrives', () => {
    const late: PlaybackEvent[] = [
      { type: 'opened' },
      { type: 'engine', phase: 'stalled', stallReason: 'encoding' },
    ]
    expect(after(...late).stallReason).toBe('encoding')
    expect(after(...late, { type: 'engine', phase: 'playing', stallReason: null }).stallReason).toBeNull()
  })

  it('is waiting from opening until the first frame', () => {
    expect(after({ type: 'opened' })).toMatchObject({ isWaiting: true, hasStarted: false })
    expect(after({ type: 'opened' }, { type: 'play-requested' }, { type: 'playing' })).toMatchObject({
      isWaiting: false,
      hasStarted: true,
      isPaused: false,
    })
  })

  it('is not waiting while paused or once time advances', () => {
    expect(after({ type: 'waiting' }).isWaiting).toBe(false)
    const stalled = after({ type: 'playing' }, { type: 'time', seconds: 4 }, { type: 'waiting' })
    expect(stalled.isWaiting).toBe(true)
    expect(playbackAfter(stalled, { type: 'time', seconds: 4 }).isWaiting).toBe(true)
    expect(playbackAfter(stalled, { type: 'time', seconds: 4.2 }).isWaiting).toBe(false)
  })

  it('is waiting while the engine recovers, unless paused', () => {
    const recovering: PlaybackEvent = { type: 'engine', phase: 'recovering', stallReason: null }
    expect(after({ type: 'playing' }, recovering).isWaiting).toBe(true)
    expect(after({ type: 'playing' }, { type: 'paused' }, recovering).isWaiting).toBe(false)
  })

  it('is waiting while the engine recovers before the first frame', () => {
    const recovering: PlaybackEvent = { type: 'engine', phase: 'recovering', stallReason: 'connection' }
    expect(after({ type: 'opened' }, recovering).isWaiting).toBe(true)
    expect(after({ type: 'opened' }, { type: 'paused' }, recovering).isWaiting).toBe(false)
  })

  it('clears a failure on reopening', () => {
    const failed = after({ type: 'opened' }, { type: 'engine', phase: 'failed', stallReason: null })
    expect(failed).toMatchObject({ phase: 'failed', isWaiting: false })
    expect(playbackAfter(failed, { type: 'opened' })).toMatchObject({ phase: 'loading', isWaiting: true })
  })

  it('offers unmuting until the viewer unmutes', () => {
    const muted = after({ type: 'volume', volume: 1, isMuted: true }, { type: 'autoplay', autoplay: 'muted' })
    expect(playbackAfter(muted, { type: 'volume', volume: 0.5, isMuted: true }).autoplay).toBe('muted')
    expect(playbackAfter(muted, { type: 'volume', volume: 1, isMuted: false }).autoplay).toBe('allowed')
  })

  it('is paused when the browser refuses muted autoplay', () => {
    const refused = after({ type: 'play-requested' }, { type: 'autoplay', autoplay: 'refused' })
    expect(refused).toMatchObject({ autoplay: 'refused', isPaused: true, isWaiting: false })
    expect(playbackAfter(refused, { type: 'playing' }).autoplay).toBe('allowed')
    // Unmuting after the muted attempt does not lift the refusal.
    expect(playbackAfter(refused, { type: 'volume', volume: 1, isMuted: false }).autoplay).toBe('refused')
  })

  it('has ended at the end until the viewer seeks', () => {
    const ended = after({ type: 'playing' }, { type: 'ended' })
    expect(ended).toMatchObject({ isEnded: true, isPaused: true })
    expect(playbackAfter(ended, { type: 'seeking', seconds: 1 })).toMatchObject({
      isEnded: false,
      currentSeconds: 1,
    })
  })

  it('ignores an infinite duration', () => {
    expect(
      after({ type: 'duration', seconds: 12 }, { type: 'duration', seconds: Infinity }).durationSeconds,
    ).toBe(12)
  })
})

it.each([
  [1, 1, 1.25],
  [1, -1, 0.75],
  [2, 1, 2],
  [0.25, -1, 0.25],
  [1.1, 1, 1.25],
] as const)('changes speed %d in direction %d to %d', (rate, direction, next) => {
  expect(nextRate(rate, direction)).toBe(next)
})

it('clamps a position to the video', () => {
  expect(clampSeconds(-3, 10)).toBe(0)
  expect(clampSeconds(50, 10)).toBe(10)
  expect(clampSeconds(Number.NaN, 10)).toBe(0)
  expect(clampSeconds(3, 0)).toBe(0)
})

it.each([
  [5, 600, 0],
  [10, 600, 10],
  [585, 600, 0],
  [570, 600, 570],
  [15, 30, 15],
  [25, 30, 0],
  [25, undefined, 25],
])('resumes a video left at %d s of %s s from %d s', (position, duration, start) => {
  expect(resumeSeconds(position, duration)).toBe(start)
})

it.each([
  [0, 0, 0],
  [0, 30, 30],
  [29.96, 30, 30],
  [25, 30, 25],
  [12, undefined, 12],
])('displays a stream of %d s stated as %s s as %d s', (stream, stated, shown) => {
  expect(displayDuration(stream, stated)).toBe(shown)
})

it('displays the full duration at the end and never more', () => {
  const late: PlaybackEvent = { type: 'time', seconds: 39.96 }
  expect(displaySeconds(after(late), 40)).toBe(39.96)
  expect(displaySeconds(after(late, { type: 'ended' }), 40)).toBe(40)
  expect(displaySeconds(after({ type: 'time', seconds: 40.04 }), 40)).toBe(40)
  expect(displaySeconds(after(late), 0)).toBe(39.96)
})
