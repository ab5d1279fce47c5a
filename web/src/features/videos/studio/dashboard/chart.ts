import { dateLocale } from '../../../../lib/i18n/language.ts'
export type DayViews = { day: string; views: number }

/** One day of the chart, with its height from 0 to 1. */
export type Bar = DayViews & { height: number; label: string }

export const TODAY = 'Today'

/** Number of days in the server's response. */
export const DAYS = 28

/** Minimum of the vertical scale, so that a first view is not a peak. */
const MIN_PEAK_VIEWS = 10
/** Minimum height of a day with views, to differ from one without. */
const MIN_HEIGHT = 0.02
export const DAYS_PER_LABEL = 7

/** The leaves of a chart, the highest day at full height unless all have few views. */
export function barsOf(days: readonly DayViews[]): Bar[] {
  const peak = Math.max(MIN_PEAK_VIEWS, ...days.map(({ views }) => views))
  return days.map(({ day, views }) => ({
    day,
    views,
    height: views > 0 ? Math.max(MIN_HEIGHT, views / peak) : 0,
    label: formatDay(day),
  }))
}

/** Labels of the time axis: a date per week, and "Today" at the end. */
export function axisOf(days: readonly DayViews[]): string[] {
  const weekly = days.slice(0, -1).filter((_, index) => index % DAYS_PER_LABEL === 0)
  return days.length > 0 ? [...weekly.map(({ day }) => formatDay(day)), TODAY] : []
}

export function sumOf(days: readonly DayViews[]): number {
  return days.reduce((sum, { views }) => sum + views, 0)
}

const dayMonth = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** "2026-11-09" as "9 Nov"; days are in UTC. */
function formatDay(day: string): string {
  return dayMonth.format(new Date(`${day}T00:00:00Z`))
}
