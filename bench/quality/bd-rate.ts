/** A point of a rate-distortion curve: bits per second, and a score that grows with quality. */
export interface RatePoint {
  bitrate: number
  score: number
}

const STEPS = 1000

/**
 * The Bjøntegaard delta rate: how many per cent more bits `tested` needs than `reference` for the same score, on average
 * over the scores that both curves reach. Curves are interpolated by monotone cubics (Fritsch and Carlson, 1980) through
 * the logarithms of the bitrates. NaN if the curves have no score in common.
 */
export function bdRate(reference: RatePoint[], tested: RatePoint[]): number {
  const curves = [interpolate(reference), interpolate(tested)]
  const from = Math.max(...curves.map(({ lowest }) => lowest))
  const to = Math.min(...curves.map(({ highest }) => highest))
  const [first, second] = curves
  if (!first || !second || !(to > from)) return Number.NaN
  let sum = 0
  for (let step = 0; step < STEPS; step++) {
    const score = from + ((step + 0.5) / STEPS) * (to - from)
    sum += second.at(score) - first.at(score)
  }
  return (Math.exp(sum / STEPS) - 1) * 100
}

interface Curve {
  lowest: number
  highest: number
  /** Logarithm of the bitrate at a score. */
  at(score: number): number
}

/** A curve through points. A point that costs more than a better one is left out. */
function interpolate(points: RatePoint[]): Curve {
  const sorted = points.toSorted((a, b) => b.score - a.score)
  const rising = sorted.filter(({ bitrate, score }, index) =>
    sorted.slice(0, index).every((better) => better.bitrate > bitrate && better.score > score),
  )
  const xs = rising.map(({ score }) => score).toReversed()
  const ys = rising.map(({ bitrate }) => Math.log(bitrate)).toReversed()
  const get = (values: number[], index: number) => values[index] ?? Number.NaN
  const widths = xs.slice(1).map((x, index) => x - get(xs, index))
  const slopes = widths.map((width, index) => (get(ys, index + 1) - get(ys, index)) / width)
  const tangents = xs.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]]
    if (before === undefined || after === undefined) return before ?? after ?? 0
    const [left, right] = [get(widths, index - 1), get(widths, index)]
    return (3 * (left + right)) / ((2 * right + left) / before + (right + 2 * left) / after)
  })
  return {
    lowest: xs[0] ?? Number.NaN,
    highest: xs.at(-1) ?? Number.NaN,
    at(score) {
      const index = Math.max(
        0,
        xs.findLastIndex((x, i) => x <= score && i < xs.length - 1),
      )
      const width = get(widths, index)
      const t = (score - get(xs, index)) / width
      return (
        get(ys, index) * (1 + 2 * t) * (1 - t) ** 2 +
        get(ys, index + 1) * t ** 2 * (3 - 2 * t) +
        width * (get(tangents, index) * t * (1 - t) ** 2 - get(tangents, index + 1) * t ** 2 * (1 - t))
      )
    },
  }
}
