import { expect, test } from 'vitest'
import { initialPlayback } from '../state/playback-state.ts'
import { initialIntroState, introStateAfter, type IntroState, isPausedByViewer } from './intro-state.ts'

const waiting = { phase: 'waiting' } as const
const video = { phase: 'video' } as const
const over = { phase: 'over' } as const
const intro = { phase: 'intro', videoId: 'opening' } as const
const outro = { phase: 'outro', videoId: 'closing' } as const

const played = {
  type: 'played',
  introId: 'opening',
  atSeconds: 0,
  isElsewhere: false,
  wasShownLately: false,
} as const
const ended = { type: 'ended', outroId: 'closing', isElsewhere: false, isLast: false } as const

test.each([
  ['opening', initialPlayback, waiting],
  [undefined, initialPlayback, video],
  ['opening', { ...initialPlayback, currentSeconds: 0.4 }, waiting],
  ['opening', { ...initialPlayback, currentSeconds: 0.5 }, video],
  ['opening', { ...initialPlayback, isEnded: true }, over],
])('a player that has the intro %s begins in a phase of the video', (introId, playback, state) => {
  expect(initialIntroState(introId, playback)).toEqual(state)
})

test('an intro plays before a video that has just begun', () => {
  expect(introStateAfter(waiting, played)).toEqual(intro)
  expect(introStateAfter(waiting, { ...played, atSeconds: 0.4 })).toEqual(intro)
})

test.each([
  ['an intro that the viewer does not get', { introId: undefined }],
  ['a video that has played already', { atSeconds: 0.5 }],
  ['a viewer who sees something else', { isElsewhere: true }],
  ['an intro that the tab has shown', { wasShownLately: true }],
])('no intro: %s', (_name, facts) => {
  expect(introStateAfter(waiting, { ...played, ...facts })).toEqual(video)
})

test('an outro follows the end of a video', () => {
  expect(introStateAfter(video, ended)).toEqual(outro)
})

test.each([
  ['a video without', { outroId: undefined }],
  ['a viewer who sees something else', { isElsewhere: true }],
  ['a sleep timer that ends with the video', { isLast: true }],
])('no outro, also not later: %s', (_name, facts) => {
  const after = introStateAfter(video, { ...ended, ...facts })
  expect(after).toEqual(over)
  expect(introStateAfter(after, ended)).toEqual(over)
})

test('the id is that of the decision', () => {
  expect(introStateAfter(intro, { ...played, introId: undefined })).toBe(intro)
  expect(introStateAfter(outro, { ...ended, outroId: 'other' })).toBe(outro)
})

test.each<[IntroState, IntroState]>([
  [intro, video],
  [outro, over],
  [waiting, waiting],
  [video, video],
  [over, over],
])('left: %o is followed by %o', (state, next) => {
  expect(introStateAfter(state, { type: 'left' })).toEqual(next)
})

test('an intro is paused by the viewer once it has started', () => {
  const paused = { ...initialPlayback, hasStarted: true, isPaused: true }
  expect(isPausedByViewer(paused)).toBe(true)
  expect(isPausedByViewer({ ...paused, isPaused: false })).toBe(false)
  expect(isPausedByViewer({ ...paused, isEnded: true })).toBe(false)
  expect(isPausedByViewer(initialPlayback)).toBe(false)
})
