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
  return pastAge(createdAt, nowMs) ?? t`Just now`
}

/** The same within a sentence: "just now". No other age differs, and in German a noun keeps its capital. */
export function formatAgeInSentence(createdAt: string, nowMs: number): string {
  return pastAge(createdAt, nowMs) ?? t`just now`
}

/** Undefined for less than a minute, and for dates in the future, from a clock ahead of this one. */
function pastAge(createdAt: string, nowMs: number): string | undefined {
  const seconds = (nowMs - Date.parse(createdAt)) / 1000
  for (const [size, name] of UNITS) {
    // Put so that an unreadable instant, which compares with nothing, fits no unit.
    if (!(seconds >= size)) continue
    const count = Math.floor(seconds / size)
    return relativeTime.format(-count, name)
  }
  return undefined
}
