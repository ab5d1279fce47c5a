import { describe, expect, it } from 'vitest'
import { rungForLines, rungLabel, startRung } from './renditions.ts'

const rungs = [
  { index: 2, lines: 1080, bitrateBps: 6_000_000 },
  { index: 1, lines: 480, bitrateBps: 1_200_000 },
  { index: 0, lines: 240, bitrateBps: 400_000 },
]

describe('the rung to begin with', () => {
  it('is the first listed while nothing is known of the network', () => {
    expect(startRung(rungs, 2, undefined)).toBe(2)
    expect(startRung([], 0, undefined)).toBe(0)
  })

  it('is the first listed where the network carries it', () => {
    expect(startRung(rungs, 1, 20_000_000)).toBe(1)
    expect(startRung(rungs, 2, 8_000_000)).toBe(2)
  })

  it('is the best that fits where it does not, at worst the smallest', () => {
    expect(startRung(rungs, 2, 2_000_000)).toBe(1)
    expect(startRung(rungs, 2, 100_000)).toBe(0)
  })
})

it('is called by its lines, and by its bitrate where those repeat', () => {
  expect(rungs.map((rung) => rungLabel(rung, rungs))).toEqual(['1080p', '480p', '240p'])
  const twins = [...rungs, { index: 3, lines: 240, bitrateBps: 1_500_000 }]
  expect(twins.slice(2).map((rung) => rungLabel(rung, twins))).toEqual(['240p, 400 kbps', '240p, 1.5 Mbps'])
})

describe('the quality kept from an earlier video', () => {
  it('is the same height or the nearest below, at worst the smallest', () => {
    expect(rungForLines(rungs, 480)).toBe(1)
    expect(rungForLines(rungs, 720)).toBe(1)
    expect(rungForLines(rungs, 2160)).toBe(2)
    expect(rungForLines(rungs, 144)).toBe(0)
    expect(rungForLines([], 480)).toBeUndefined()
  })

  it('is the first listed of several with as many lines', () => {
    const twins = [...rungs, { index: 3, lines: 240, bitrateBps: 1_500_000 }]
    expect(rungForLines(twins, 240)).toBe(0)
  })
})
