import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../../../lib/browser/theme.ts'
import styles from './chart.module.css'

/** A series of values at equal distances. */
export interface Series {
  title: string
  /** Heading of the first column of the table. */
  unit: string
  /** Shown while no value is pointed at. */
  summary: string
  points: readonly { label: string; axisLabel: string; value: number }[]
  /** Distances between labels of the horizontal axis, in points. */
  pointSteps: readonly number[]
  /** Distances between labels of the vertical axis. */
  valueSteps: readonly number[]
  /** Upper end of the vertical axis where no value is higher. */
  minPeak: number
  format: (value: number) => string
}

const HEIGHT = 220

/** A line over its area. Pointing at it names the value; below it are the numbers as a table. */
export function Chart({ title, unit, summary, points, format, ...axes }: Series) {
  const captionId = useId()
  const [pointed, setPointed] = useState<number>()
  const { mode } = useTheme()
  const point = pointed === undefined ? undefined : points[pointed]
  return (
    <figure className={styles['chart']} aria-labelledby={captionId}>
      <figcaption className={styles['caption']}>
        <h2 id={captionId}>{title}</h2>
        <span aria-hidden="true">{point ? `${point.label} · ${format(point.value)}` : summary}</span>
      </figcaption>
      {/* The colours of the theme are read when the chart is drawn. */}
      <Drawing key={mode} points={points} format={format} {...axes} onPoint={setPointed} />
      <details className={styles['numbers']}>
        <summary>{t`${title} as a table`}</summary>
        <table aria-labelledby={captionId}>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

function Drawing({
  points,
  pointSteps,
  valueSteps,
  minPeak,
  format,
  onPoint,
}: Omit<Series, 'title' | 'unit' | 'summary'> & { onPoint: (index: number | undefined) => void }) {
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = area.current
    if (!element) return
    const chart = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        ...drawingOf({ pointSteps, valueSteps, minPeak, format }, (index) => points[index]?.axisLabel ?? ''),
        hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
      },
      [points.map((_, index) => index), points.map(({ value }) => value)],
      element,
    )
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }))
    resizing.observe(element)
    return () => {
      resizing.disconnect()
      chart.destroy()
      onPoint(undefined)
    }
  }, [points, pointSteps, valueSteps, minPeak, format, onPoint])
  return <div ref={area} className={styles['area']} aria-hidden="true" />
}

/** Scales, axes and series in the colours of the theme. */
function drawingOf(
  {
    pointSteps,
    valueSteps,
    minPeak,
    format,
  }: Pick<Series, 'pointSteps' | 'valueSteps' | 'minPeak' | 'format'>,
  labelAt: (index: number) => string,
): Pick<UPlot.Options, 'legend' | 'cursor' | 'scales' | 'axes' | 'series' | 'padding'> {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--ink-3'),
    font: `13px ${getComputedStyle(document.body).fontFamily}`,
    ticks: { show: false },
  }
  return {
    legend: { show: false },
    padding: [12, 12, 0, 0],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9, fill: colour('--accent'), stroke: colour('--bg') },
    },
    scales: {
      x: { time: false },
      y: { range: (_chart, _min, max) => [0, Math.max(max ?? 0, minPeak) * 1.05] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 36,
        gap: 10,
        incrs: [...pointSteps],
        space: 72,
        values: (_chart, splits) => splits.map(labelAt),
      },
      {
        ...axis,
        size: 72,
        incrs: [...valueSteps],
        space: 34,
        grid: { stroke: colour('--line'), width: 1 },
        values: (_chart, splits) => splits.map(format),
      },
    ],
    series: [
      {},
      {
        stroke: colour('--accent'),
        fill: colour('--accent-soft'),
        width: 2,
      },
    ],
  }
}
