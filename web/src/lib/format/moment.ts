import { dateLocale } from '../i18n/language.ts'

const minute = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })
const second = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium' })

/** An instant where one is, to the minute: "28 Nov 2026, 05:39". */
export const formatMoment = (instant: string): string => minute.format(new Date(instant))

/** The same to the second, for logs. */
export const formatSecond = (instant: string): string => second.format(new Date(instant))

/** Its day alone, with the year: "28 Nov 2026". */
export const formatDate = (instant: string): string => day.format(new Date(instant))
