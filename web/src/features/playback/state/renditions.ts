/** A quality on offer. `index` names it towards the stream. */
export type Rung = {
  index: number
  /** Of the shorter side, by which a quality is called also where the picture stands upright. */
  lines: number
  bitrateBps: number
}

/** "720p", or "720p, 2.5 Mbps" where several rungs have as many lines. */
export function rungLabel(rung: Rung, rungs: readonly Rung[]): string {
  const name = `${rung.lines}p`
  const isAmbiguous = rungs.some((each) => each.index !== rung.index && each.lines === rung.lines)
  return isAmbiguous ? `${name}, ${formatBitrate(rung.bitrateBps)}` : name
}

function formatBitrate(bitrateBps: number): string {
  return bitrateBps >= 1e6 ? `${(bitrateBps / 1e6).toFixed(1)} Mbps` : `${Math.round(bitrateBps / 1e3)} kbps`
}

/**
 * The rung for a height that was chosen on an earlier video: the same or the nearest below, at worst the smallest. Of
 * several with as many lines, the one listed first.
 */
export function rungForLines(rungs: readonly Rung[], lines: number): number | undefined {
  const highestFirst = [...rungs].sort((a, b) => b.lines - a.lines || a.index - b.index)
  return (highestFirst.find((rung) => rung.lines <= lines) ?? highestFirst.at(-1))?.index
}

/**
 * The rung to begin with. The first one listed exists already, so it is quickest, unless the network is known to be too
 * slow for it: then the best that fits, at worst the smallest.
 */
export function startRung(
  rungs: readonly Rung[],
  firstListed: number,
  bandwidthBps: number | undefined,
): number {
  const first = rungs.find((rung) => rung.index === firstListed)
  if (!first || bandwidthBps === undefined || first.bitrateBps <= bandwidthBps * 0.8) return firstListed
  const byBitrate = [...rungs].sort((a, b) => b.bitrateBps - a.bitrateBps)
  const fitting = byBitrate.find((rung) => rung.bitrateBps <= bandwidthBps * 0.8) ?? byBitrate.at(-1)
  return fitting?.index ?? firstListed
}
