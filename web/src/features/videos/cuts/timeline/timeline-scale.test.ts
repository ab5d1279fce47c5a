import { expect, it } from 'vitest'
import { formatFrameTime, formatTick } from '../../../../lib/format/frame-time.ts'
import { drawnRange, fitScale, limitScale, ticksOf, waveformPath } from './timeline-scale.ts'

it('scales from the whole video to single frames, also for four hours', () => {
  const hours = 4 * 3600
  expect(fitScale(hours, 1000)).toBeCloseTo(0.0694, 4)
  expect(limitScale(0.001, hours, 1000)).toBe(fitScale(hours, 1000))
  expect(limitScale(9999, hours, 1000)).toBe(480)
  // a browser lays out no more pixels than some millions
  expect(limitScale(9999, 100 * 3600, 1000) * 100 * 3600).toBeLessThanOrEqual(8_000_000)
  // a clip of a second is as wide as its place
  expect(limitScale(1, 1, 1000)).toBe(1000)
})

it('labels round times as often as there is room', () => {
  const labels = (startSeconds: number, endSeconds: number, scale: number) =>
    ticksOf({ startSeconds, endSeconds }, scale).map((tick) => formatTick(tick.seconds, tick.stepSeconds))
  expect(labels(0, 95, 11)).toEqual([
    '0:00',
    '0:10',
    '0:20',
    '0:30',
    '0:40',
    '0:50',
    '1:00',
    '1:10',
    '1:20',
    '1:30',
  ])
  expect(labels(3598, 3610, 20)).toEqual(['59:55', '1:00:00', '1:00:05', '1:00:10'])
  expect(labels(1.05, 1.35, 480)).toEqual(['0:01.0', '0:01.2'])
  expect(ticksOf({ startSeconds: 0, endSeconds: 4 * 3600 }, 0.07).length).toBeLessThan(14)
  expect(formatFrameTime(3661.04)).toBe('1:01:01.040')
})

it('draws what is visible, and a screen more on both sides', () => {
  expect(drawnRange(5000, 1000, 10, 10_000)).toEqual({ startSeconds: 400, endSeconds: 700 })
  expect(drawnRange(0, 1000, 10, 150)).toEqual({ startSeconds: 0, endSeconds: 150 })
})

it('draws the loudest peak of each bar, in its place', () => {
  const peaks = new Uint8Array(200)
  peaks[101] = 255
  const heights = (from: number, to: number, scale: number) => {
    const { path } = waveformPath(
      { peaks, intervalSeconds: 0.05 },
      { startSeconds: from, endSeconds: to },
      scale,
    )
    return path
      .split('z')
      .filter(Boolean)
      .map((bar) => Number(/v([\d.]+)/.exec(bar)?.[1]))
  }
  // ten seconds in 300 pixels: the peak is at 5.05 s, in the bar of 5.0 to 5.1 s
  const bars = heights(0, 10, 30)
  expect(bars).toHaveLength(100)
  expect(bars[50]).toBe(96)
  expect(bars.filter((height) => height > 2)).toHaveLength(1)
  // zoomed in, a peak is several bars wide; past the sound there is nothing
  expect(heights(5, 6, 480).filter((height) => height === 96).length).toBeGreaterThan(4)
  expect(heights(10, 20, 30)).toEqual([])
})
