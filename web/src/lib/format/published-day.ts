import { dateLocale } from '../i18n/language.ts'
import { t } from '@lingui/core/macro'
const sameYear = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', year: 'numeric' })

/** The day of an instant where one is: "Today", "18 Nov", and in other years "18 Nov 2025"; of an unreadable one nothing. */
export function formatPublishedDay(createdAt: string, nowMs: number): string {
  const day = new Date(createdAt)
  if (Number.isNaN(day.valueOf())) return ''
  const now = new Date(nowMs)
  if (day.toDateString() === now.toDateString()) return t`Today`
  return (day.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(day)
}
