import type { RatePoint } from './bd-rate.ts'

/** Rate-distortion curves of one clip and height, by the name of the encoder. */
export interface Panel {
  title: string
  curves: Record<string, RatePoint[]>
}

const COLUMNS = 3
const [WIDTH, HEIGHT, MARGIN, HEAD] = [320, 200, 40, 40]
const colours = ['#145c38', '#8a8a8a', '#d68a2f']

/** An SVG with a panel for each clip and height: bitrate on a logarithmic axis, and score. */
export function plotQuality(panels: Panel[], metric: string): string {
  const names = Object.keys(panels[0]?.curves ?? {})
  const legend = names.map(
    (name, index) =>
      `<rect x="${MARGIN + index * 150}" y="10" width="12" height="12" fill="${colours[index]}"/><text x="${MARGIN + index * 150 + 17}" y="20">${name}</text>`,
  )
  const panelsSvg = panels.map((panel, index) => {
    const [x, y] = [(index % COLUMNS) * WIDTH, HEAD + Math.floor(index / COLUMNS) * HEIGHT]
    return `<g transform="translate(${x} ${y})">${drawPanel(panel)}</g>`
  })
  const [width, height] = [WIDTH * COLUMNS, HEAD + HEIGHT * Math.ceil(panels.length / COLUMNS)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${width - 10}" y="20" text-anchor="end">${metric} over kbit/s</text>
${[...legend, ...panelsSvg].join('\n')}
</svg>
`
}

function drawPanel({ title, curves }: Panel): string {
  const points = Object.values(curves).flat()
  const [scores, bitrates] = [
    points.map(({ score }) => score),
    points.map(({ bitrate }) => Math.log(bitrate)),
  ]
  const [left, right, top, bottom] = [MARGIN, WIDTH - 20, 24, HEIGHT - 30]
  const scale = (values: number[], from: number, to: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return (value: number) => from + ((value - low) / Math.max(1e-9, high - low)) * (to - from)
  }
  const [toX, toY] = [scale(bitrates, left, right), scale(scores, bottom, top)]
  const lines = Object.values(curves).map((curve, index) => {
    const path = curve.map(
      ({ bitrate, score }) => `${toX(Math.log(bitrate)).toFixed(1)},${toY(score).toFixed(1)}`,
    )
    const marks = path.map((point) => {
      const [x, y] = point.split(',')
      return `<circle cx="${x}" cy="${y}" r="2.5" fill="${colours[index]}"/>`
    })
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${colours[index]}" stroke-width="1.5"/>${marks.join('')}`
  })
  const kilobits = [Math.min(...bitrates), Math.max(...bitrates)].map((value) =>
    Math.round(Math.exp(value) / 1000),
  )
  const labels = [
    `<text x="${left}" y="14" font-weight="bold">${title}</text>`,
    `<text x="${left}" y="${bottom + 18}">${kilobits[0]}</text>`,
    `<text x="${right}" y="${bottom + 18}" text-anchor="end">${kilobits[1]}</text>`,
    `<text x="${left - 6}" y="${bottom}" text-anchor="end">${Math.min(...scores).toFixed(1)}</text>`,
    `<text x="${left - 6}" y="${top + 8}" text-anchor="end">${Math.max(...scores).toFixed(1)}</text>`,
    `<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="#bbb"/>`,
  ]
  return [...labels, ...lines].join('')
}
