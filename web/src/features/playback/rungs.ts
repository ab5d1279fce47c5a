/** A quality on offer. `index` names it towards the stream. */
export type Rung = { index: number; height: number; bitrateBps: number }

/** "720p", or "720p, 2.5 Mbps" where several rungs share a height. */
export function rungLabel(rung: Rung, rungs: readonly Rung[]): string {
  const name = `${rung.height}p`
  const isAmbiguous = rungs.some((each) => each.index !== rung.index && each.height === rung.height)
  return isAmbiguous ? `${name}, ${formatBitrate(rung.bitrateBps)}` : name
}

function formatBitrate(bitrateBps: number): string {
  return bitrateBps >= 1e6 ? `${(bitrateBps / 1e6).toFixed(1)} Mbps` : `${Math.round(bitrateBps / 1e3)} kbps`
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
