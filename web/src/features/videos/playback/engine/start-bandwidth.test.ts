import { describe, expect, it } from 'vitest'
import { startBandwidthBps, type Transfer } from './start-bandwidth.ts'

const transfer = (kilobytes: number, responseStart: number, responseEnd: number): Transfer => ({
  transferSize: kilobytes * 1000,
  responseStart,
  responseEnd,
})
const unknown = { measuredBps: undefined, downlinkMbps: undefined }
/** The scripts and the font of a page at 1 Mbit/s, side by side. */
const slowPage = [
  transfer(47, 480, 1860),
  transfer(80, 815, 2640),
  transfer(102, 530, 2820),
  transfer(20, 500, 1260),
]

describe('startBandwidthBps', () => {
  it('returns the throughput that parallel transfers shared', () => {
    expect(startBandwidthBps(slowPage, unknown)).toBeCloseTo(851_000, -4)
  })

  it('excludes idle time between transfers', () => {
    const apart = [transfer(50, 0, 400), transfer(50, 60_000, 60_400)]
    expect(startBandwidthBps(apart, unknown)).toBe(1_000_000)
  })

  it('ignores an earlier measurement on a slow connection', () => {
    expect(startBandwidthBps(slowPage, { measuredBps: 50e6, downlinkMbps: 10 })).toBeLessThan(1e6)
  })

  it('returns the earlier measurement on a fast connection, unless the page loaded faster', () => {
    const fastPage = [transfer(250, 0, 100)]
    expect(startBandwidthBps(fastPage, unknown)).toBeUndefined()
    expect(startBandwidthBps(fastPage, { ...unknown, downlinkMbps: 1 })).toBeUndefined()
    expect(startBandwidthBps(fastPage, { ...unknown, measuredBps: 50e6 })).toBe(50e6)
    expect(startBandwidthBps(fastPage, { ...unknown, measuredBps: 1e6 })).toBe(20e6)
    expect(startBandwidthBps([transfer(250, 5, 5)], unknown)).toBeUndefined()
  })

  it('follows a viewer to another network', () => {
    const before = Array.from({ length: 30 }, (_, index) => transfer(500, index * 100, index * 100 + 50))
    const since = Array.from({ length: 20 }, (_, index) =>
      transfer(100, 9e4 + index * 1000, 9e4 + index * 1000 + 1000),
    )
    expect(startBandwidthBps([...since, ...before], unknown)).toBe(800_000)
  })

  it('falls back to the measurement, the browser estimate or a cautious default', () => {
    const cached = [transfer(0, 1, 2), transfer(0.3, 1, 2)]
    expect(startBandwidthBps(cached, { measuredBps: 7e6, downlinkMbps: 1 })).toBe(7e6)
    expect(startBandwidthBps(cached, { ...unknown, downlinkMbps: 1.5 })).toBe(1_500_000)
    expect(startBandwidthBps(cached, unknown)).toBe(2_000_000)
    expect(startBandwidthBps([transfer(40, 0, 1000)], unknown)).toBe(2_000_000)
  })
})
