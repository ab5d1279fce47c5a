import { expect, it } from 'vitest'
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
    savesData: false,
    bandwidthBps: 5e6,
  }
  expect(preferencesFromStored(JSON.stringify(chosen))).toEqual(chosen)
})
