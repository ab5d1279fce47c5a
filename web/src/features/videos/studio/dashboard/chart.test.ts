import { describe, expect, it } from 'vitest'
import { axisOf, barsOf, sumOf } from './chart.ts'

const days = Array.from({ length: 28 }, (_, index) => ({
  day: new Date(Date.UTC(2026, 9, 25 + index)).toISOString().slice(0, 10),
  views: index,
}))

describe('bars', () => {
  it('are proportional to the highest day', () => {
    const heights = barsOf([
      { day: '2026-11-01', views: 50 },
      { day: '2026-11-02', views: 200 },
    ]).map(({ height }) => height)
    expect(heights).toEqual([0.25, 1])
  })

  it('are flat without views, and show even a single view next to a thousand', () => {
    const heights = barsOf([
      { day: '2026-11-01', views: 0 },
      { day: '2026-11-02', views: 1 },
      { day: '2026-11-03', views: 1000 },
    ]).map(({ height }) => height)
    expect(heights).toEqual([0, 0.02, 1])
    expect(barsOf([{ day: '2026-11-01', views: 0 }])[0]?.height).toBe(0)
  })

  it('stay low while there are few views', () => {
    const heights = barsOf([
      { day: '2026-11-01', views: 0 },
      { day: '2026-11-02', views: 1 },
    ]).map(({ height }) => height)
    expect(heights).toEqual([0, 0.1])
  })

  it('are labelled with their day', () => {
    expect(barsOf(days)[15]?.label).toBe('9 Nov')
  })
})

it('the axis labels a day each week and ends today', () => {
  expect(axisOf(days)).toEqual(['25 Oct', '1 Nov', '8 Nov', '15 Nov', 'Today'])
  expect(axisOf([])).toEqual([])
})

it('the total is the sum of all days', () => {
  expect(sumOf(days)).toBe(378)
})
