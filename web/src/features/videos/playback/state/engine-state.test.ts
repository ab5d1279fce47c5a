import { describe, expect, it } from 'vitest'
import {
  type EngineAction,
  engineAfter,
  type EngineEvent,
  type EnginePhase,
  type EngineState,
  initialEngine,
} from './engine-state.ts'

const buffered: EngineEvent = { type: 'segment-buffered' }
const rejected: EngineEvent = { type: 'request-rejected', isEncoding: false }
const lost: EngineEvent = { type: 'connection-lost' }
const missing: EngineEvent = { type: 'segment-missing', folder: 'first' }
const replaced: EngineEvent = { type: 'source-replaced', seconds: 7 }
const undecodable = {
  type: 'decoding-failed',
  seconds: 12,
  endSeconds: 60,
  isPassthrough: false,
} satisfies EngineEvent
const unplayable: EngineEvent = { type: 'stream-unplayable' }
const fallbackFailed: EngineEvent = { type: 'fallback-failed' }

/** Events that lead from the beginning to each phase. */
const ways: Record<EnginePhase, EngineEvent[]> = {
  loading: [],
  playing: [buffered],
  stalled: [rejected],
  recovering: [lost],
  fallback: [unplayable],
  failed: [unplayable, fallbackFailed],
}

const after = (...events: EngineEvent[]): EngineState =>
  events.reduce((state, event) => engineAfter(state, event).state, initialEngine)

const live: EnginePhase[] = ['loading', 'playing', 'stalled', 'recovering']
const playFile: EngineAction = { type: 'play-natively', source: 'file' }

const transitions: [EngineEvent, EnginePhase, EngineAction | undefined][] = [
  [buffered, 'playing', undefined],
  [missing, 'recovering', { type: 'reload-playlists' }],
  [replaced, 'recovering', { type: 'load', seconds: 7, afterMs: 0 }],
  [undecodable, 'recovering', { type: 'reset-decoder', seconds: 12 }],
  [{ ...undecodable, isPassthrough: true }, 'recovering', { type: 'leave-passthrough', seconds: 12 }],
  [unplayable, 'fallback', playFile],
  [{ type: 'media-source-missing', playsHls: false }, 'fallback', playFile],
  [{ type: 'media-source-missing', playsHls: true }, 'fallback', { type: 'play-natively', source: 'stream' }],
  [fallbackFailed, 'failed', undefined],
]

describe.each(live)('the engine while %s', (phase) => {
  it.each(transitions)('answers %j by %s', (event, to, action) => {
    const result = engineAfter(after(...ways[phase]), event)
    expect(result.state.phase).toBe(to)
    expect(result.action).toEqual(action)
  })

  it.each([undecodable, unplayable, missing])('leaves AV1, and only once, for %j', (failure) => {
    const left = engineAfter(after(...ways[phase], { type: 'av1-chosen' }), failure)
    expect(left).toMatchObject({ state: { phase: 'recovering' }, action: { type: 'leave-av1' } })
    expect(engineAfter(left.state, failure).action).not.toEqual({ type: 'leave-av1' })
  })

  it('leaves AV1 whose segments are not encoded in time', () => {
    const waiting = after(
      ...ways[phase],
      { type: 'av1-chosen' },
      { type: 'request-rejected', isEncoding: true },
    )
    expect(engineAfter(waiting, lost).action).toEqual({ type: 'leave-av1' })
  })

  it('recovers from a lost connection', () => {
    const { state, action } = engineAfter(after(...ways[phase]), lost)
    expect(state.phase).toBe('recovering')
    expect(action).toMatchObject({ type: 'load' })
  })
})

it.each([
  ['loading', 'stalled'],
  ['playing', 'stalled'],
  ['stalled', 'stalled'],
  ['recovering', 'recovering'],
] as const)('goes from %s to %s when a request is rejected', (from, to) => {
  expect(after(...ways[from], rejected).phase).toBe(to)
})

it.each([
  [true, 'encoding'],
  [false, 'connection'],
] as const)('states why it waits until a segment arrives (encoding: %s)', (isEncoding, reason) => {
  const waiting = after({ type: 'request-rejected', isEncoding }, lost)
  expect(waiting.stallReason).toBe(reason)
  expect(engineAfter(waiting, buffered).state.stallReason).toBeNull()
})

it.each(live)('states while %s that the connection is slow, until a segment arrives', (phase) => {
  const slow = after(...ways[phase], { type: 'loading-slowly' })
  expect(slow).toMatchObject({ phase, stallReason: 'bandwidth' })
  expect(engineAfter(slow, buffered).state.stallReason).toBeNull()
})

it.each(['fallback', 'failed'] as const)('ignores the discarded stream in %s', (phase) => {
  const state = after(...ways[phase])
  const late = [buffered, rejected, lost, missing, replaced, undecodable, unplayable]
  for (const event of [...late, { type: 'online' } as const, { type: 'loading-slowly' } as const])
    expect(engineAfter(state, event)).toEqual({ state })
})

it('fails when the fallback fails', () => {
  expect(after(...ways.fallback, fallbackFailed).phase).toBe('failed')
})

it('pauses longer after each lost connection, and shortly again once a segment has arrived', () => {
  const pauseAfter = (events: EngineEvent[]) => engineAfter(after(...events), lost).action
  expect(pauseAfter([])).toEqual({ type: 'load', afterMs: 500 })
  expect(pauseAfter([lost, lost])).toEqual({ type: 'load', afterMs: 1500 })
  expect(pauseAfter(Array.from({ length: 50 }, () => lost))).toEqual({ type: 'load', afterMs: 4000 })
  expect(pauseAfter([lost, lost, buffered])).toEqual({ type: 'load', afterMs: 500 })
})

it('loads immediately when the network is back, if the connection was lost', () => {
  const slow: EngineEvent = { type: 'loading-slowly' }
  for (const events of [[lost], [rejected], [rejected, slow]])
    expect(engineAfter(after(...events), { type: 'online' }).action).toEqual({ type: 'load', afterMs: 0 })
  expect(engineAfter(after(lost, buffered), { type: 'online' })).toEqual({ state: after(lost, buffered) })
})

it('reloads the playlists once for each file of the video', () => {
  const reloaded = after(missing, buffered)
  expect(engineAfter(reloaded, missing)).toEqual({ state: reloaded })
  const replacedOnce = engineAfter(reloaded, { type: 'segment-missing', folder: 'second' })
  expect(replacedOnce.action).toEqual({ type: 'reload-playlists' })
  const replacedTwice = engineAfter(replacedOnce.state, { type: 'segment-missing', folder: 'third' })
  expect(replacedTwice.action).toEqual({ type: 'reload-playlists' })
  expect(
    engineAfter(replacedTwice.state, { type: 'segment-missing', folder: 'third' }).action,
  ).toBeUndefined()
})

describe('an undecodable range', () => {
  /** The positions tried for failures at `seconds`. */
  function positions(seconds: number[], endSeconds = 600) {
    let state = initialEngine
    return seconds.map((each) => {
      const result = engineAfter(state, { ...undecodable, seconds: each, endSeconds })
      state = result.state
      return result.action?.type === 'reset-decoder' ? result.action.seconds : result.action?.type
    })
  }

  it('is tried again, then skipped by doubling distances, then left to the fallback', () => {
    expect(positions(Array<number>(7).fill(100))).toEqual([100, 101, 102, 104, 108, 116, 'play-natively'])
  })

  it('is skipped after the second failure, when the passthrough rendition was left after the first', () => {
    const left = after({ ...undecodable, isPassthrough: true })
    expect(engineAfter(left, undecodable).action).toEqual({ type: 'reset-decoder', seconds: 13 })
  })

  it('is counted apart from another one farther away', () => {
    expect(positions([100, 100, 121, 121])).toEqual([100, 101, 121, 122])
  })

  it('is not skipped beyond the end of the video', () => {
    expect(positions([100, 100, 100, 100], 102.5)).toEqual([100, 101, 102, 102.5])
  })
})
