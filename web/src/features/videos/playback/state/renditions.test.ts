import { describe, expect, it } from 'vitest'
import { renditionForLines, renditionLabel, smallRenditions, startRendition } from './renditions.ts'

const renditions = [
  { index: 2, lines: 1080, bitrateBps: 6_000_000 },
  { index: 1, lines: 480, bitrateBps: 1_200_000 },
  { index: 0, lines: 240, bitrateBps: 400_000 },
]

describe('startRendition', () => {
  it('returns the first listed while the bandwidth is unknown', () => {
    expect(startRendition(renditions, 2, undefined)).toBe(2)
    expect(startRendition([], 0, undefined)).toBe(0)
  })

  it('returns the first listed if the bandwidth suffices', () => {
    expect(startRendition(renditions, 1, 20_000_000)).toBe(1)
  })

  it('returns the best that arrives soon otherwise, at least the smallest', () => {
    expect(startRendition(renditions, 2, 8_000_000)).toBe(1)
    expect(startRendition(renditions, 2, 3_000_000)).toBe(0)
    expect(startRendition(renditions, 1, 3_000_000)).toBe(0)
    expect(startRendition(renditions, 2, 100_000)).toBe(0)
  })
})

it('saves data with at most 480 lines, else with the smallest rendition', () => {
  expect(smallRenditions(renditions).map(({ index }) => index)).toEqual([1, 0])
  expect(startRendition(smallRenditions(renditions), 2, undefined)).toBe(1)
  expect(startRendition(smallRenditions(renditions), 2, 500_000)).toBe(0)
  expect(smallRenditions(renditions.slice(0, 1)).map(({ index }) => index)).toEqual([2])
})

it('labels renditions by lines, and by bitrate where lines repeat', () => {
  expect(renditions.map((rendition) => renditionLabel(rendition, renditions))).toEqual([
    '1080p',
    '480p',
    '240p',
  ])
  const twins = [...renditions, { index: 3, lines: 240, bitrateBps: 1_500_000 }]
  expect(twins.slice(2).map((rendition) => renditionLabel(rendition, twins))).toEqual([
    '240p, 400 kbps',
    '240p, 1.5 Mbps',
  ])
})

describe('renditionForLines', () => {
  it('returns the same height or the next lower, at least the smallest', () => {
    expect(renditionForLines(renditions, 480)).toBe(1)
    expect(renditionForLines(renditions, 720)).toBe(1)
    expect(renditionForLines(renditions, 2160)).toBe(2)
    expect(renditionForLines(renditions, 144)).toBe(0)
    expect(renditionForLines([], 480)).toBeUndefined()
  })

  it('returns the first listed of several with the same lines', () => {
    const twins = [...renditions, { index: 3, lines: 240, bitrateBps: 1_500_000 }]
    expect(renditionForLines(twins, 240)).toBe(0)
  })
})
