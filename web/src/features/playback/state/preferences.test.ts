import { expect, it } from 'vitest'
import { positionsFromStored, withPosition } from '../position/local-positions.ts'
import { defaultPreferences, preferencesFromStored } from './preferences.ts'

it.each([
  null,
  '',
  'x',
  '[]',
  'null',
  '{"volume":0}',
  '{"volume":"loud","rate":90,"isMuted":1,"captionsLanguage":"x y","audioLanguage":7}',
])('falls back to the default for the stored value %s', (stored) => {
  expect(preferencesFromStored(stored)).toEqual(defaultPreferences)
})

it('parses stored preferences', () => {
  const chosen = {
    ...defaultPreferences,
    captionsLanguage: 'pt-BR',
    audioLanguage: 'de',
    volume: 0.4,
    rate: 1.5,
    isTheatre: true,
    autoplaysNext: true,
    playsInCorner: true,
    bandwidthBps: 5e6,
  }
  expect(preferencesFromStored(JSON.stringify(chosen))).toEqual(chosen)
})

it('keeps each position once, newest last, and removes it at zero', () => {
  const two = withPosition(withPosition([], 'a', 12.7), 'b', 30)
  expect(two).toEqual([
    ['a', 12],
    ['b', 30],
  ])
  expect(withPosition(two, 'a', 50).map(([id]) => id)).toEqual(['b', 'a'])
  expect(withPosition(two, 'a', 0)).toEqual([['b', 30]])
})

it('drops the oldest positions beyond the limit', () => {
  let positions = positionsFromStored('[["x", 1], "junk", [2, "y"]]')
  expect(positions).toEqual([['x', 1]])
  for (let index = 0; index < 300; index += 1) positions = withPosition(positions, `v${index}`, 20)
  expect(positions).toHaveLength(200)
  expect(positions.at(-1)?.[0]).toBe('v299')
})
