import { describe, expect, it } from 'vitest'
import { commandOfKey, type FocusKind } from './player-keys.ts'

const press = (
  key: string,
  focus: FocusKind = 'page',
  more: { isRepeat?: boolean; hasModifier?: boolean; hasShift?: boolean } = {},
) => commandOfKey({ key, focus, isRepeat: false, hasModifier: false, hasShift: false, ...more })

const everyKey = [
  ' ',
  'k',
  'j',
  'l',
  'm',
  't',
  'f',
  'c',
  'i',
  '<',
  '>',
  ',',
  '.',
  '/',
  '?',
  '0',
  '9',
  'ArrowLeft',
  'ArrowUp',
]

describe('commandOfKey', () => {
  it.each([
    [' ', 'toggle-play'],
    ['k', 'toggle-play'],
    ['K', 'toggle-play'],
    ['m', 'toggle-mute'],
    ['t', 'toggle-theatre'],
    ['f', 'toggle-full-screen'],
    ['c', 'toggle-captions'],
    ['i', 'toggle-picture-in-picture'],
    ['/', 'focus-search'],
    ['?', 'show-shortcuts'],
  ])('maps %s to %s', (key, type) => {
    expect(press(key)).toEqual({ type })
  })

  it('seeks by ten seconds, five seconds and tenths of the video', () => {
    expect(press('j')).toEqual({ type: 'seek-by', seconds: -10 })
    expect(press('l')).toEqual({ type: 'seek-by', seconds: 10 })
    expect(press('ArrowLeft')).toEqual({ type: 'seek-by', seconds: -5 })
    expect(press('ArrowRight')).toEqual({ type: 'seek-by', seconds: 5 })
    expect(press('0')).toEqual({ type: 'seek-to-share', share: 0 })
    expect(press('7')).toEqual({ type: 'seek-to-share', share: 0.7 })
  })

  it.each(['typing', 'dialog'] as const)('returns null for every key while in a %s', (focus) => {
    for (const key of everyKey) expect(press(key, focus)).toBe(null)
  })

  it('returns null with a modifier', () => {
    for (const key of everyKey) expect(press(key, 'page', { hasModifier: true })).toBe(null)
  })

  it('leaves Space to controls and the vertical arrows to the page', () => {
    expect(press(' ', 'control')).toBe(null)
    expect(press(' ', 'player-control')).toBe(null)
    expect(press('ArrowUp')).toBe(null)
    expect(press('ArrowUp', 'player')).toEqual({ type: 'volume-by', step: 0.05 })
    expect(press('ArrowDown', 'player-control')).toEqual({ type: 'volume-by', step: -0.05 })
  })

  it('repeats seeking but not toggling while a key is held', () => {
    expect(press('l', 'page', { isRepeat: true })).not.toBe(null)
    expect(press('k', 'page', { isRepeat: true })).toBe(null)
    expect(press('f', 'page', { isRepeat: true })).toBe(null)
  })

  it('returns null for unknown keys', () => {
    for (const key of ['a', 'Enter', 'Escape', 'Tab', 'F5', 'constructor']) expect(press(key)).toBe(null)
  })
})

it('opens the next and the previous video with Shift and n or p, and does nothing without Shift', () => {
  expect(press('N', 'page', { hasShift: true })).toEqual({ type: 'next-video' })
  expect(press('P', 'control', { hasShift: true })).toEqual({ type: 'previous-video' })
  expect(press('N', 'typing', { hasShift: true })).toBe(null)
  for (const key of ['n', 'p']) expect(press(key, 'page')).toBe(null)
})
