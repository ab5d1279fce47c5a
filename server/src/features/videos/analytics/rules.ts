import { type Analytics, type PlaybackReport, TrafficSource } from '@kinora/contract/videos/analytics.ts'
import { retentionParts } from '@kinora/contract/constants.ts'

/** Numbers by name, such as seconds by language. */
type Counts = Record<string, number>

/** How one video was watched. */
export interface PlaybackNumbers {
  playbacks: number
  watchedSeconds: number
  /** Playbacks that showed each part of the video. */
  retention: number[]
  /** Playbacks by source, and by the other site where there is one: `embed example.org`. */
  sources: Counts
  /** Seconds by language; `none` without captions. */
  captions: Counts
  /** Seconds by pixels of the shorter side; `none` if unknown. */
  qualities: Counts
}

/** The numbers of one video on one day. */
export interface DailyNumbers extends PlaybackNumbers {
  videoId: string
  /** YYYY-MM-DD, in UTC. */
  day: string
}

/** Reports of more than this multiple of the duration count as that. People repeat parts, and forgers exaggerate. */
const maxRepeats = 3

/** Names that one video may have on one day. Forged ones must not let its row grow without a bound. */
const maxNames = 100
const other = 'other'
const none = 'none'

/** Numbers of one report; undefined if nothing was watched. */
export function numbersOf(report: PlaybackReport, durationSeconds: number): PlaybackNumbers | undefined {
  const { isFirst, source, host, captions, lines } = report
  const watchedSeconds = Math.min(report.watchedSeconds, durationSeconds * maxRepeats)
  const parts = new Set(report.parts)
  if (watchedSeconds === 0 && parts.size === 0) return undefined
  const isElsewhere = source === 'embed' || source === 'external'
  return {
    playbacks: isFirst ? 1 : 0,
    watchedSeconds,
    retention: Array.from({ length: retentionParts }, (_, part) => (parts.has(part) ? 1 : 0)),
    sources: isFirst ? { [isElsewhere && host ? `${source} ${host}` : source]: 1 } : {},
    captions: { [captions ?? none]: watchedSeconds },
    qualities: { [lines ?? none]: watchedSeconds },
  }
}

/** Adds up numbers with the same video and day. */
export function mergeDays(numbers: readonly DailyNumbers[]): DailyNumbers[] {
  const merged = new Map<string, DailyNumbers>()
  for (const each of numbers) {
    const key = `${each.day} ${each.videoId}`
    const before = merged.get(key)
    merged.set(key, before ? { ...each, ...sumOf(before, each) } : each)
  }
  return [...merged.values()]
}

function sumOf(a: PlaybackNumbers, b: PlaybackNumbers): PlaybackNumbers {
  return {
    playbacks: a.playbacks + b.playbacks,
    watchedSeconds: a.watchedSeconds + b.watchedSeconds,
    retention: a.retention.map((count, part) => count + (b.retention[part] ?? 0)),
    sources: addCounts(a.sources, b.sources),
    captions: addCounts(a.captions, b.captions),
    qualities: addCounts(a.qualities, b.qualities),
  }
}

/** Adds up counts by name. Names beyond the limit count as `other`, the rarest first. */
function addCounts(a: Counts, b: Counts): Counts {
  const sums = new Map(Object.entries(a))
  for (const [name, count] of Object.entries(b)) sums.set(name, (sums.get(name) ?? 0) + count)
  if (sums.size <= maxNames) return Object.fromEntries(sums)
  const byCount = [...sums].filter(([name]) => name !== other).toSorted(([, x], [, y]) => y - x)
  const rest = byCount.slice(maxNames - 1).reduce((sum, [, count]) => sum + count, sums.get(other) ?? 0)
  return Object.fromEntries([...byCount.slice(0, maxNames - 1), [other, rest]])
}

/** Shares of playbacks that showed each part, from 0 to 1. Later reports may arrive without the first one. */
export function retentionOf(playbacks: number, counts: readonly number[]): number[] {
  return playbacks === 0 ? [] : counts.map((count) => Math.min(1, count / playbacks))
}

/** Average share of the video that a playback showed; null without playbacks. */
export function averageShareOf(playbacks: number, shownParts: number): number | null {
  return playbacks === 0 ? null : Math.min(1, shownParts / (playbacks * retentionParts))
}

type NamedCount = { name: string; count: number }

export const toSources = (counts: readonly NamedCount[]): Analytics['sources'] =>
  counts.map(({ name, count }) => {
    const [source, host = null] = name.split(' ')
    return { source: TrafficSource.catch(other).parse(source), host, playbacks: count }
  })

export const toCaptions = (counts: readonly NamedCount[]): Analytics['captions'] =>
  counts.map(({ name, count }) => ({ language: name === none ? null : name, watchedSeconds: count }))

export const toQualities = (counts: readonly NamedCount[]): Analytics['qualities'] =>
  counts.map(({ name, count }) => ({ lines: Number.parseInt(name, 10) || null, watchedSeconds: count }))

/** The days of analytics as CSV (RFC 4180). */
export function toCsv({ days }: Pick<Analytics, 'days'>): string {
  const rows = days.map(({ day, views, playbacks, watchedSeconds }) => [
    day,
    views,
    playbacks,
    Math.round(watchedSeconds),
  ])
  return [['day', 'views', 'playbacks', 'watched_seconds'], ...rows]
    .map((row) => `${row.join(',')}\r\n`)
    .join('')
}
