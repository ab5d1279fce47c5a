import type { AudioInfo } from '@kinora/media/source/source-info.ts'
import { expect, test } from 'vitest'
import { audioTrackFor, samplePlaces, splitBlock } from './rules.ts'

const track = (position: number, language: string | null, isDefault = false) =>
  // what else a track has does not matter here
  ({ position, language, isDefault }) as AudioInfo

test('chooses the track of the language, then the default one, then the first', () => {
  const tracks = Array.from({ length: 16 }, (_, position) => track(position, `x${position}`, position === 9))
  const withGerman = [...tracks, track(16, 'de-AT')]
  expect(audioTrackFor(withGerman, 'de')?.position).toBe(16)
  expect(audioTrackFor(withGerman, 'fr')?.position).toBe(9)
  expect(audioTrackFor(withGerman, null)?.position).toBe(9)
  expect(audioTrackFor([track(0, null), track(1, null)], 'de')?.position).toBe(0)
  expect(audioTrackFor([], 'de')).toBeUndefined()
})

test('looks for the language in three places of a long video, and in all of a short one', () => {
  expect(samplePlaces(100)).toEqual([{ fromSeconds: 0, toSeconds: 100 }])
  expect(samplePlaces(3600).map(({ fromSeconds }) => fromSeconds)).toEqual([570, 1770, 2970])
})

test('leaves speech that a block cuts to the next one', () => {
  const block = { fromSeconds: 120, toSeconds: 240 }
  const ranges = [
    { fromSeconds: 1, toSeconds: 20 },
    { fromSeconds: 100, toSeconds: 120 },
  ]
  expect(splitBlock(ranges, block, false)).toEqual({
    ranges: [{ fromSeconds: 121, toSeconds: 140 }],
    nextSeconds: 220,
  })
  expect(splitBlock(ranges, block, true).nextSeconds).toBe(240)
})
