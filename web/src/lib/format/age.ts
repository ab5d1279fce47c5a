import { pageLanguage } from '../i18n/language.ts'
import { t } from '@lingui/core/macro'
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30 * DAY
const YEAR = 365 * DAY

const relativeTime = new Intl.RelativeTimeFormat(pageLanguage)

const UNITS = [
  [YEAR, 'year'],
  [MONTH, 'month'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
] as const

/** Relative age in the largest whole unit: "Just now", "1 minute ago", "3 months ago". */
export function formatAge(createdAt: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(createdAt)) / 1000
  for (const [size, name] of UNITS) {
    // Put so that an unreadable instant, which compares with nothing, fits no unit.
    if (!(seconds >= size)) continue
    const count = Math.floor(seconds / size)
    return relativeTime.format(-count, name)
  }
  // Includes dates in the future, from a clock ahead of this one.
  return t`Just now`
}
