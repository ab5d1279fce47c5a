import { plural } from '@lingui/core/macro'
import { pageLanguage } from '../i18n/language.ts'

/** Truncates, so that a count never promises more. */
const compact = new Intl.NumberFormat(pageLanguage, { notation: 'compact', roundingMode: 'trunc' })

/** A count short enough for a card: 999, 1.2K, 184K, 1.2M. */
export function formatCount(count: number): string {
  return compact.format(Math.max(0, Number.isFinite(count) ? count : 0))
}

/** A count in full with its separators: 184,203; none is 0. */
export function formatFullCount(count: number | null | undefined): string {
  return (count ?? 0).toLocaleString(pageLanguage)
}

/** "1 view", "1.2K views". */
export function viewsOf(count: number): string {
  const shown = formatCount(count)
  return plural(count, { one: `${shown} view`, other: `${shown} views` })
}

/** "1 video", "1.2K videos". */
export function videosOf(count: number): string {
  const shown = formatCount(count)
  return plural(count, { one: `${shown} video`, other: `${shown} videos` })
}

/** "1 subscriber", "1.2K subscribers". */
export function subscribersOf(count: number): string {
  const shown = formatCount(count)
  return plural(count, { one: `${shown} subscriber`, other: `${shown} subscribers` })
}
