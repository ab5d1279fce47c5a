import { describe, expect, it } from 'vitest'
import {
  clampSeconds,
  initialPlayback,
  nextRate,
  playbackAfter,
  type PlaybackEvent,
  resumeSeconds,
  shownDuration,
  shownSeconds,
} from './playback-state.ts'

const after = (...events: PlaybackEvent[]) => events.reduce(playbackAfter, initialPlayback)

describe('the state of the player', () => {
  it('knows what it waits for until something comes', () => {
    const late: PlaybackEvent[] = [{ type: 'opened' }, { type: 'hindered', by: 'making' }]
    expect(after(...late).hindrance).toBe('making')
    expect(after(...late, { type: 'hindered', by: null }).hindrance).toBeNull()
  })

  it('waits from opening to the first frame', () => {
    expect(after({ type: 'opened' })).toMatchObject({ isWaiting: true, hasStarted: false })
    expect(after({ type: 'opened' }, { type: 'play-wanted' }, { type: 'playing' })).toMatchObject({
      isWaiting: false,
      hasStarted: true,
      isPaused: false,
    })
  })

  it('does not wait while paused, nor once time moves', () => {
    expect(after({ type: 'waiting' }).isWaiting).toBe(false)
    const stalled = after({ type: 'playing' }, { type: 'time', seconds: 4 }, { type: 'waiting' })
    expect(stalled.isWaiting).toBe(true)
    expect(playbackAfter(stalled, { type: 'time', seconds: 4 }).isWaiting).toBe(true)
    expect(playbackAfter(stalled, { type: 'time', seconds: 4.2 }).isWaiting).toBe(false)
  })

  it('takes a failure back when it plays or is opened anew', () => {
    const failed = after({ type: 'opened' }, { type: 'failed', failure: 'Gone' })
    expect(failed).toMatchObject({ failure: 'Gone', isWaiting: false })
    expect(playbackAfter(failed, { type: 'opened' }).failure).toBe(null)
    expect(playbackAfter(failed, { type: 'playing' }).failure).toBe(null)
  })

  it('offers to unmute until the sound is on', () => {
    const muted = after({ type: 'volume', volume: 1, isMuted: true }, { type: 'autoplay', autoplay: 'muted' })
    expect(playbackAfter(muted, { type: 'volume', volume: 0.5, isMuted: true }).autoplay).toBe('muted')
    expect(playbackAfter(muted, { type: 'volume', volume: 1, isMuted: false }).autoplay).toBe('allowed')
  })

  it('asks to be pressed where even silence is refused', () => {
    const refused = after({ type: 'play-wanted' }, { type: 'autoplay', autoplay: 'refused' })
    expect(refused).toMatchObject({ autoplay: 'refused', isPaused: true, isWaiting: false })
    expect(playbackAfter(refused, { type: 'playing' }).autoplay).toBe('allowed')
    // The sound is on again after the try without: nothing is allowed by that.
    expect(playbackAfter(refused, { type: 'volume', volume: 1, isMuted: false }).autoplay).toBe('refused')
  })

  it('is over at the end, and no longer once one seeks', () => {
    const ended = after({ type: 'playing' }, { type: 'ended' })
    expect(ended).toMatchObject({ isEnded: true, isPaused: true })
    expect(playbackAfter(ended, { type: 'seeking', seconds: 1 })).toMatchObject({
      isEnded: false,
      currentSeconds: 1,
    })
  })

  it('knows no endless duration', () => {
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
] as const)('from speed %d in direction %d comes %d', (rate, direction, next) => {
  expect(nextRate(rate, direction)).toBe(next)
})

it('stays inside the video', () => {
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
])('stopped at %d s of %s s, one goes on at %d s', (position, duration, start) => {
  expect(resumeSeconds(position, duration)).toBe(start)
})

it.each([
  [0, 0, 0],
  [0, 30, 30],
  [29.96, 30, 30],
  [25, 30, 25],
  [12, undefined, 12],
])('a stream of %d s stated as %s s shows %d s', (stream, stated, shown) => {
  expect(shownDuration(stream, stated)).toBe(shown)
})

it('shows the whole length at the end, and never more', () => {
  const late: PlaybackEvent = { type: 'time', seconds: 39.96 }
  expect(shownSeconds(after(late), 40)).toBe(39.96)
  expect(shownSeconds(after(late, { type: 'ended' }), 40)).toBe(40)
  expect(shownSeconds(after({ type: 'time', seconds: 40.04 }), 40)).toBe(40)
  expect(shownSeconds(after(late), 0)).toBe(39.96)
})
