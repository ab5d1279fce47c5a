import { i18n, type MessageDescriptor } from '@lingui/core'
import { dateLocale, pageLanguage } from '../../../lib/i18n/language.ts'
import { msg, t } from '@lingui/core/macro'
import type { Analytics, TrafficSource } from '@kinora/contract/videos/analytics.ts'

const sourceLabels: Record<TrafficSource, MessageDescriptor> = {
  home: msg`Home page`,
  search: msg`Search on this site`,
  channel: msg`Channel pages`,
  recommendations: msg`Recommended videos`,
  subscriptions: msg`Subscriptions and notifications`,
  playlist: msg`Playlists and library`,
  browse: msg`Tags and categories`,
  direct: msg`Direct or unknown`,
  external: msg`Other sites`,
  embed: msg`Embedded players`,
  other: msg`Other pages`,
}

/** One line of a list of shares. */
export interface Share {
  label: string
  amount: number
  /** From 0 to 1. */
  share: number
}

/** Shares of a total, in the order of the lines. */
function withShares(lines: readonly { label: string; amount: number }[]): Share[] {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return lines.map((line) => ({ ...line, share: total === 0 ? 0 : line.amount / total }))
}

/** Where viewers came from, with the host of other sites. */
export function sharesOfSources(sources: Analytics['sources']): Share[] {
  return withShares(
    sources.map(({ source, host, playbacks }) => ({
      label: host === null ? i18n._(sourceLabels[source]) : `${i18n._(sourceLabels[source])}: ${host}`,
      amount: playbacks,
    })),
  )
}

const languageNames = new Intl.DisplayNames(pageLanguage, { type: 'language' })

export function sharesOfCaptions(captions: Analytics['captions']): Share[] {
  return withShares(
    captions.map(({ language, watchedSeconds }) => ({
      label: languageLabel(language),
      amount: watchedSeconds,
    })),
  )
}

function languageLabel(language: string | null): string {
  if (language === null) return t`Without captions`
  if (language === 'other') return t`Other languages`
  if (language === 'und') return t`Unknown language`
  try {
    return languageNames.of(language) ?? language
  } catch {
    // Not a language tag.
    return language
  }
}

export function sharesOfQualities(qualities: Analytics['qualities']): Share[] {
  return withShares(
    qualities.map(({ lines, watchedSeconds }) => ({
      label: lines === null ? t`Unknown` : `${lines}p`,
      amount: watchedSeconds,
    })),
  )
}

const dayFormat = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const shortFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** "2026-11-09" as "9 Nov 2026", or "9 Nov"; days are in UTC. */
export function formatDay(day: string, isShort = false): string {
  return (isShort ? shortFormat : dayFormat).format(new Date(`${day}T00:00:00Z`))
}
