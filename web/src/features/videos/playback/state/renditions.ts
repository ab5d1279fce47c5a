import { t } from '@lingui/core/macro'
import { pageLanguage } from '../../../../lib/i18n/language.ts'

/** An encoding of the video that can be chosen; `index` identifies it in the stream. */
export type Rendition = {
  index: number
  /** Pixels of the shorter side, which names the quality in portrait videos too. */
  lines: number
  bitrateBps: number
}

/** "720p", or "720p, 2.5 Mbps" if several renditions have the same number of lines. */
export function renditionLabel(rendition: Rendition, renditions: readonly Rendition[]): string {
  const name = `${rendition.lines}p`
  const isAmbiguous = renditions.some(
    (each) => each.index !== rendition.index && each.lines === rendition.lines,
  )
  return isAmbiguous ? `${name}, ${formatBitrate(rendition.bitrateBps)}` : name
}

const megabits = new Intl.NumberFormat(pageLanguage, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

function formatBitrate(bitrateBps: number): string {
  return bitrateBps >= 1e6
    ? t`${megabits.format(bitrateBps / 1e6)} Mbps`
    : t`${Math.round(bitrateBps / 1e3)} kbps`
}

/**
 * Index of the rendition for a quality chosen on an earlier video: the same number of lines or the next lower, otherwise
 * the smallest. Of several with the same number of lines, the one listed first.
 */
export function renditionForLines(renditions: readonly Rendition[], lines: number): number | undefined {
  const highestFirst = [...renditions].sort((a, b) => b.lines - a.lines || a.index - b.index)
  return (highestFirst.find((rendition) => rendition.lines <= lines) ?? highestFirst.at(-1))?.index
}

/** Lines that automatic quality does not exceed while data is saved. */
const DATA_SAVER_LINES = 480

/** The renditions for saving data; the smallest if all are larger. */
export function smallRenditions(renditions: readonly Rendition[]): Rendition[] {
  const small = renditions.filter(({ lines }) => lines <= DATA_SAVER_LINES)
  return small.length > 0 ? small : renditions.toSorted((a, b) => a.lines - b.lines).slice(0, 1)
}

/**
 * Share of the bandwidth for the first rendition: its first segment of four seconds arrives in little more than one. The
 * quality rises after it.
 */
const START_SHARE = 1 / 3

/**
 * Index of the rendition to start with: the first one listed, which is already encoded, unless the bandwidth is known to
 * be too low for it to arrive soon, or it is none of these. Then the best that fits, otherwise the smallest.
 */
export function startRendition(
  renditions: readonly Rendition[],
  firstListed: number,
  bandwidthBps: number | undefined,
): number {
  const first = renditions.find((rendition) => rendition.index === firstListed)
  const byBitrate = renditions.toSorted((a, b) => b.bitrateBps - a.bitrateBps)
  if (bandwidthBps === undefined) return (first ?? byBitrate[0])?.index ?? firstListed
  if (first && first.bitrateBps <= bandwidthBps * START_SHARE) return firstListed
  const fitting =
    byBitrate.find((rendition) => rendition.bitrateBps <= bandwidthBps * START_SHARE) ?? byBitrate.at(-1)
  return fitting?.index ?? firstListed
}
