import { expect, it } from 'vitest'
import { frameAt } from './cut-player.ts'
import { commandOf } from './use-cut-keys.ts'

const press = (key: string, held: { ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean } = {}) =>
  commandOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held })

it('knows the keys of the editor, and leaves others to the player', () => {
  expect(['i', 'O', 'x', 'Delete', ',', '.', 'Escape'].map((key) => press(key))).toEqual([
    'mark-start',
    'mark-end',
    'remove',
    'remove',
    'frame-back',
    'frame-forward',
    'clear',
  ])
  expect(press('z', { ctrlKey: true })).toBe('undo')
  expect(press('Z', { metaKey: true, shiftKey: true })).toBe('redo')
  expect(press('y', { ctrlKey: true })).toBe('redo')
  expect([press('k'), press('i', { ctrlKey: true }), press('P', { shiftKey: true })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('names the frame that is shown at a time, which ends where the next one begins', () => {
  const rate = { framesPerSecond: 25, durationSeconds: 10.01 }
  expect([1, 1.001, 1.038, 1.0395, 1.05, 9.97, 10.01].map((seconds) => frameAt(seconds, rate))).toEqual([
    1, 1, 1, 1.04, 1.04, 9.96, 10.01,
  ])
})
