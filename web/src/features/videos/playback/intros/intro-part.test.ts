import { beforeEach, expect, test, vi } from 'vitest'
import { initialPlayback } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import { introPart, type IntroTarget, kindOf, playerAround } from './intro-part.ts'

const video = { ...initialPlayback, hasStarted: true, durationSeconds: 60 }
const ended = { ...video, isEnded: true, isPaused: true, currentSeconds: 60 }

test.each([
  ['waiting', true, video, undefined],
  ['intro', false, { ...video, isPaused: true }, 'intro'],
  ['video', true, video, undefined],
  ['video', true, ended, 'outro'],
  ['video', false, ended, undefined],
  ['video', true, { ...ended, isPictureInPicture: true }, undefined],
  ['over', true, ended, undefined],
] as const)('%s, an outro: %s', (phase, hasOutro, state, kind) => {
  expect(kindOf(phase, hasOutro, state)).toBe(kind)
})

test('shows the times of the video, and whether its intro plays', () => {
  const { player } = commands()
  const shown = { state: { ...initialPlayback, isPaused: false, currentSeconds: 4 }, player }
  const waiting = { ...initialPlayback, isPaused: true, durationSeconds: 60 }
  const state = introPart('intro', false, shown, player).stateOf(waiting)
  expect(state).toMatchObject({ hasStarted: true, isPaused: false, currentSeconds: 0, durationSeconds: 60 })
})

test('has not ended before the outro has, whose element is mounted later', () => {
  const { player } = commands()
  expect(introPart('video', true, undefined, player).stateOf(ended)).toMatchObject({
    isEnded: false,
    isPaused: false,
    isWaiting: true,
    currentSeconds: 60,
  })
  expect(introPart('over', true, undefined, player).stateOf(ended)).toBe(ended)
})

test('positions are reported from the start of the video on', () => {
  const { player } = commands()
  const isBefore = (phase: 'waiting' | 'intro' | 'video') =>
    introPart(phase, true, undefined, player).isBeforeStart
  expect([isBefore('waiting'), isBefore('intro'), isBefore('video')]).toEqual([true, true, false])
})

type Commands = Record<'play' | 'pause' | 'togglePlay' | 'stepFrame', ReturnType<typeof vi.fn<() => void>>> &
  Record<'seekTo' | 'seekBy', ReturnType<typeof vi.fn<(seconds: number) => void>>>

function commands(isPaused = false) {
  const calls: Commands = {
    play: vi.fn<() => void>(),
    pause: vi.fn<() => void>(),
    togglePlay: vi.fn<() => void>(),
    stepFrame: vi.fn<() => void>(),
    seekTo: vi.fn<(seconds: number) => void>(),
    seekBy: vi.fn<(seconds: number) => void>(),
  }
  const state = { isPaused, volume: 0.5, isMuted: false, rate: 1 }
  return { calls, player: { ...calls, currentState: () => state } as unknown as Player }
}

const end = vi.fn<() => void>()
beforeEach(() => void end.mockReset())

/** A video with something in place of it. */
function playing(kind: IntroTarget['kind']) {
  const [whole, intro] = [commands(true), commands(false)]
  const target = { kind, shown: { state: initialPlayback, player: intro.player }, end }
  return { whole: whole.calls, intro: intro.calls, player: playerAround(whole.player, { current: target }) }
}

test('commands act on what plays', () => {
  for (const kind of ['intro', 'outro', undefined] as const) {
    const { whole, intro, player } = playing(kind)
    player.play()
    player.pause()
    player.togglePlay()
    player.stepFrame(1)
    const used = ({ play, pause, togglePlay }: Commands) =>
      [play, pause, togglePlay].map(({ mock }) => mock.calls.length)
    expect([used(whole), used(intro)]).toEqual(
      kind
        ? [
            [0, 0, 0],
            [1, 1, 1],
          ]
        : [
            [1, 1, 1],
            [0, 0, 0],
          ],
    )
    expect(whole.stepFrame).toHaveBeenCalledTimes(kind ? 0 : 1)
    expect(player.currentState()).toMatchObject({ isPaused: kind === undefined, volume: 0.5 })
  }
})

test('seeking forward skips, seeking back repeats the intro or returns to the video', () => {
  for (const kind of ['intro', 'outro'] as const) {
    const { whole, intro, player } = playing(kind)
    end.mockReset()
    player.seekBy(5)
    expect([end.mock.calls.length, whole.seekBy.mock.calls]).toEqual([1, []])
    player.seekBy(-5)
    expect([intro.seekTo.mock.calls, whole.seekBy.mock.calls]).toEqual(
      kind === 'intro' ? [[[0]], []] : [[], [[-5]]],
    )
  }
})

test('a place in the video ends the intro and is played', () => {
  const { whole, player } = playing('intro')
  player.seekTo(20)
  expect([end.mock.calls.length, whole.seekTo.mock.calls]).toEqual([1, [[20]]])
})
