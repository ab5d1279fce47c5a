import { beforeEach, expect, test, vi } from 'vitest'
import { initialPlayback } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import { followVideo, introPart, type IntroPlayback, playerAround } from './intro-part.ts'
import type { IntroKind, IntroState } from './intro-state.ts'

const video = { ...initialPlayback, hasStarted: true, durationSeconds: 60 }
const ended = { ...video, isEnded: true, isPaused: true, currentSeconds: 60 }
const stateOf = (phase: 'waiting' | 'video' | 'over') => ({ phase })
const shownState = (phase: IntroKind): IntroState => ({ phase, videoId: 'other' })

test('shows the times of the video, and whether its intro plays', () => {
  const { player } = commands()
  const shown = { state: { ...initialPlayback, isPaused: false, currentSeconds: 4 }, player }
  const waiting = { ...initialPlayback, isPaused: true, durationSeconds: 60 }
  const state = introPart(shownState('intro'), shown, player).stateOf(waiting)
  expect(state).toMatchObject({ hasStarted: true, isPaused: false, currentSeconds: 0, durationSeconds: 60 })
})

test('has not ended before the outro has, whose element is mounted later', () => {
  const { player } = commands()
  expect(introPart(shownState('outro'), undefined, player).stateOf(ended)).toMatchObject({
    isEnded: false,
    isPaused: false,
    isWaiting: true,
    currentSeconds: 60,
  })
  expect(introPart(stateOf('over'), undefined, player).stateOf(ended)).toBe(ended)
})

test('has not ended before it is decided whether an outro follows', () => {
  const part = introPart(stateOf('video'), undefined, commands().player)
  expect(part.stateOf(ended)).toMatchObject({ isEnded: false, currentSeconds: 60 })
  expect(part.stateOf(video)).toBe(video)
})

test('positions are reported from the start of the video on', () => {
  const { player } = commands()
  const isBefore = (state: IntroState) => introPart(state, undefined, player).isBeforeStart
  expect([stateOf('waiting'), shownState('intro'), stateOf('video')].map(isBefore)).toEqual([
    true,
    true,
    false,
  ])
})

type Commands = ReturnType<typeof spies>

const spies = () => ({
  play: vi.fn<() => void>(),
  pause: vi.fn<() => void>(),
  togglePlay: vi.fn<() => void>(),
  stepFrame: vi.fn<() => void>(),
  toggleMute: vi.fn<() => void>(),
  seekTo: vi.fn<(seconds: number) => void>(),
  seekBy: vi.fn<(seconds: number) => void>(),
  setTemporaryVolume: vi.fn<(volume: number) => void>(),
  setTemporaryRate: vi.fn<(rate: number) => void>(),
})

function commands(changes: Partial<Pick<typeof initialPlayback, 'isPaused' | 'isMuted' | 'rate'>> = {}) {
  const calls = spies()
  const state = { isPaused: false, volume: 0.5, isMuted: false, rate: 1, ...changes }
  return { calls, player: { ...calls, currentState: () => state } as unknown as Player }
}

const leave = vi.fn<() => void>()
beforeEach(() => void leave.mockReset())

/** A video with something in place of it, which has started. */
function playing(kind: IntroKind | undefined, state: Partial<typeof initialPlayback> = {}) {
  const [whole, intro] = [commands({ isPaused: true }), commands(state)]
  const shown: IntroPlayback = {
    state: { ...initialPlayback, hasStarted: true, ...state },
    player: intro.player,
  }
  const target = { state: kind ? shownState(kind) : stateOf('video'), shown, leave }
  return {
    target,
    whole: whole.calls,
    intro: intro.calls,
    player: playerAround(whole.player, { current: target }),
  }
}

test('commands act on what plays', () => {
  for (const kind of ['intro', 'outro', undefined] as const) {
    const { whole, intro, player } = playing(kind)
    player.play()
    player.pause()
    player.stepFrame(1)
    const used = ({ play, pause }: Commands) => [play, pause].map(({ mock }) => mock.calls.length)
    expect([used(whole), used(intro)]).toEqual(kind ? [[0, 0], [1, 1]] : [[1, 1], [0, 0]]) // prettier-ignore
    expect(whole.stepFrame).toHaveBeenCalledTimes(kind ? 0 : 1)
    expect(player.currentState()).toMatchObject({ isPaused: kind === undefined, volume: 0.5 })
  }
})

test('the same key pauses and continues', () => {
  const running = playing('intro')
  running.player.togglePlay()
  expect(running.intro.pause).toHaveBeenCalledOnce()
  const paused = playing('outro', { isPaused: true })
  paused.player.togglePlay()
  expect(paused.intro.play).toHaveBeenCalledOnce()
  const none = playing(undefined)
  none.player.togglePlay()
  expect(none.whole.togglePlay).toHaveBeenCalledOnce()
})

test('a pause before the first frame leaves it, and the video stays paused', () => {
  const { intro, player } = playing('intro', { hasStarted: false })
  player.pause()
  expect([leave.mock.calls, intro.pause.mock.calls]).toEqual([[[{ plays: false }]], []])
})

test('commands act on the video as soon as the intro is left', () => {
  const { target, whole, intro, player } = playing('intro')
  leave.mockImplementation(() => void (target.state = stateOf('video')))
  player.seekTo(20)
  player.play()
  expect([whole.play.mock.calls.length, intro.play.mock.calls.length]).toEqual([1, 0])
})

test('seeking forward skips, seeking back repeats the intro or returns to the video', () => {
  for (const kind of ['intro', 'outro'] as const) {
    const { whole, intro, player } = playing(kind)
    leave.mockReset()
    player.seekBy(5)
    expect([leave.mock.calls.length, whole.seekBy.mock.calls]).toEqual([1, []])
    player.seekBy(-5)
    expect([intro.seekTo.mock.calls, whole.seekBy.mock.calls]).toEqual(
      kind === 'intro' ? [[[0]], []] : [[], [[-5]]],
    )
  }
})

test('a place in the video ends the intro and is played', () => {
  const { whole, player } = playing('intro')
  player.seekTo(20)
  expect([leave.mock.calls.length, whole.seekTo.mock.calls]).toEqual([1, [[20]]])
})

test('volume and speed are set on the video, and what plays follows in the same gesture', () => {
  const { whole, intro, player } = playing('intro')
  player.toggleMute()
  player.setTemporaryRate(2)
  expect([whole.toggleMute.mock.calls.length, whole.setTemporaryRate.mock.calls]).toEqual([1, [[2]]])
  expect([intro.setTemporaryVolume.mock.calls, intro.setTemporaryRate.mock.calls]).toEqual([
    [[0.5], [0.5]],
    [[1], [1]],
  ])
  const muted = commands({ isMuted: true, rate: 1.5 })
  const follower = commands()
  followVideo(muted.player, follower.player)
  expect([follower.calls.setTemporaryVolume.mock.calls, follower.calls.setTemporaryRate.mock.calls]).toEqual([
    [[0]],
    [[1.5]],
  ])
})
