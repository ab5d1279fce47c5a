/** Event of a page, in milliseconds since the start of its navigation. */
export interface Sample {
  atMs: number
  /** Whether a first frame was shown. */
  isShown: boolean
  firstFrameMs: number
  positionSeconds: number
  /** Lines of the displayed rendition; 0 before the first. */
  height: number
  isEnded: boolean
}

export interface Lane {
  line: string
  player: string
  samples: Sample[]
}

/** The first label of the legend is the longest. */
const LEGEND_WIDTH = 100
const LABEL_WIDTH = 250
const PLOT_WIDTH = 700
const LANE_HEIGHT = 22
const HEAD_HEIGHT = 44
const waiting = '#c9c9c9'
const stalled = '#d62f2f'
/** Darker is more lines. */
const shades: [lines: number, colour: string][] = [
  [144, '#e3f3e8'],
  [240, '#b7dfc3'],
  [360, '#86c79b'],
  [480, '#4fa873'],
  [720, '#2b8455'],
  [1080, '#145c38'],
]

/** An SVG with a bar for each visit: waiting for the first frame, stalled, or playing with a number of lines. */
export function plotPlayback(
  lanes: Lane[],
  { seconds, stallMs }: { seconds: number; stallMs: number },
): string {
  const height = HEAD_HEIGHT + lanes.length * LANE_HEIGHT + 30
  const toX = (ms: number) => LABEL_WIDTH + Math.min(1, ms / 1000 / seconds) * PLOT_WIDTH
  const parts: string[] = []
  const legend: [string, string][] = [
    ['no frame yet', waiting],
    ['stalled', stalled],
    ...shades.map(([lines, colour]): [string, string] => [`${lines}p`, colour]),
  ]
  legend.forEach(([label, colour], index) => {
    const x = LABEL_WIDTH + index * LEGEND_WIDTH
    parts.push(`<rect x="${x}" y="10" width="12" height="12" fill="${colour}"/>`)
    parts.push(`<text x="${x + 17}" y="20">${label}</text>`)
  })
  lanes.forEach(({ line, player, samples }, index) => {
    const y = HEAD_HEIGHT + index * LANE_HEIGHT
    parts.push(`<text x="${LABEL_WIDTH - 8}" y="${y + 14}" text-anchor="end">${line}: ${player}</text>`)
    for (const { fromMs, toMs, colour } of spansOf(samples, stallMs)) {
      const [x, end] = [toX(fromMs), toX(toMs)]
      parts.push(
        `<rect x="${x.toFixed(1)}" y="${y}" width="${(end - x).toFixed(1)}" height="${LANE_HEIGHT - 5}" fill="${colour}"/>`,
      )
    }
  })
  const axis = height - 12
  for (let second = 0; second <= seconds; second += 5)
    parts.push(`<text x="${toX(second * 1000)}" y="${axis}" text-anchor="middle">${second} s</text>`)
  const width = LABEL_WIDTH + PLOT_WIDTH + 130
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join('\n')}
</svg>
`
}

interface Span {
  fromMs: number
  toMs: number
  colour: string
}

function spansOf(samples: Sample[], stallMs: number): Span[] {
  const spans: Span[] = []
  let movedAtMs = 0
  samples.forEach((sample, index) => {
    const before = samples[index - 1]
    const fromMs = before?.atMs ?? 0
    if (sample.isEnded) return
    const isMoving = before !== undefined && sample.positionSeconds > before.positionSeconds
    if (isMoving) movedAtMs = sample.atMs
    const isStalled = sample.isShown && sample.atMs - movedAtMs > stallMs && movedAtMs > 0
    const colour = !sample.isShown ? waiting : isStalled ? stalled : shadeOf(sample.height)
    const last = spans.at(-1)
    if (last?.colour === colour) last.toMs = sample.atMs
    else spans.push({ fromMs, toMs: sample.atMs, colour })
  })
  return spans
}

const shadeOf = (height: number) => shades.find(([lines]) => lines >= height)?.[1] ?? '#145c38'
