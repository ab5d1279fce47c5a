import { expect, test, vi } from 'vitest'
import { initialPlayback } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import { partOf } from './part.ts'

const part = partOf({ startSeconds: 730, endSeconds: 760 })
const stateAt = (currentSeconds: number, changes = {}) =>
  part.stateOf({ ...initialPlayback, durationSeconds: 3600, currentSeconds, hasStarted: true, ...changes })

function playerAt(currentSeconds: number, isPaused = true) {
  const [seekTo, play, pause] = [vi.fn<(seconds: number) => void>(), vi.fn<() => void>(), vi.fn<() => void>()]
  const whole = {
    seekTo,
    play,
    pause,
    currentSeconds: () => currentSeconds,
    currentState: () => ({ isPaused, volume: 1, isMuted: false, rate: 1 }),
  } as unknown as Player
  return { player: part.playerOf(whole), seekTo, play, pause }
}

test('shows times from the beginning of the part, and its length', () => {
  expect(stateAt(742)).toMatchObject({ currentSeconds: 12, durationSeconds: 30, isEnded: false })
  expect(stateAt(100)).toMatchObject({ currentSeconds: 0 })
  expect(part.stateOf(initialPlayback)).toMatchObject({ durationSeconds: 0, isEnded: false })
})

test('shows only what is buffered of the part', () => {
  const buffered = [
    { startSeconds: 0, endSeconds: 100 },
    { startSeconds: 720, endSeconds: 745 },
  ]
  expect(stateAt(742, { buffered }).buffered).toEqual([{ startSeconds: 0, endSeconds: 15 }])
})

test('has ended where the part ends, and then plays again from its beginning', () => {
  expect(stateAt(760, { isPaused: true }).isEnded).toBe(true)
  expect(stateAt(760, { isPaused: false }).isEnded).toBe(false)
  const { player, seekTo, play } = playerAt(760)
  player.togglePlay()
  expect([seekTo.mock.calls, play.mock.calls.length]).toEqual([[[730]], 1])
})

test('seeks within the part only', () => {
  const { player, seekTo } = playerAt(742)
  for (const seconds of [-5, 10, 500]) player.seekTo(seconds)
  player.seekBy(-60)
  player.seekBy(5)
  expect(seekTo.mock.calls.flat()).toEqual([730, 740, 759.9, 730, 747])
  expect(player.currentSeconds()).toBe(12)
})

test('pauses while it plays', () => {
  const { player, pause, play } = playerAt(742, false)
  player.togglePlay()
  expect([pause.mock.calls.length, play.mock.calls.length]).toEqual([1, 0])
})
