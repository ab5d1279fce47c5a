import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { formatFullCount } from '../../../../lib/format/counts.ts'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { axisOf, DAYS, DAYS_PER_LABEL, type DayViews, barsOf, sumOf, TODAY } from './chart.ts'
import styles from './views-chart.module.css'

/** Views per day, drawn as leaves. Hovering names the day; screen readers get a table. */
export function ViewsChart({ days = [] }: { days?: readonly DayViews[] }) {
  const captionId = useId()
  const [pointed, setPointed] = useState<number>()
  const bars = barsOf(days)
  const bar = pointed === undefined ? undefined : bars[pointed]
  if (days.length === 0) return null
  return (
    <figure className={styles['chart']} aria-labelledby={captionId}>
      <figcaption className={styles['caption']}>
        <span id={captionId}>{t`Views, last ${days.length} days`}</span>
        <span aria-hidden="true">
          {bar && <>{pointed === bars.length - 1 ? t`Today` : bar.label} · </>}
          <b>{formatFullCount(bar?.views ?? sumOf(days))}</b>
        </span>
      </figcaption>
      <div className={styles['bars']} aria-hidden="true" onPointerLeave={() => setPointed(undefined)}>
        {bars.map(({ day, views, height }, index) => (
          <span
            key={day}
            className={clsx(styles['day'], index === pointed && styles['pointed'])}
            onPointerEnter={() => setPointed(index)}
          >
            <i className={clsx(views === 0 && styles['empty'])} style={{ height: `${height * 100}%` }} />
          </span>
        ))}
      </div>
      <div
        className={styles['axis']}
        style={{ gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` }}
        aria-hidden="true"
      >
        {axisOf(days).map((label, index) => (
          <span key={label} style={{ gridColumnStart: label === TODAY ? -2 : index * DAYS_PER_LABEL + 1 }}>
            {label === TODAY ? t`Today` : label}
          </span>
        ))}
      </div>
      <VisuallyHidden as="div">
        <table aria-labelledby={captionId}>
          <thead>
            <tr>
              <th scope="col">{t`Day`}</th>
              <th scope="col">{t`Views`}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ day, label, views }) => (
              <tr key={day}>
                <th scope="row">{label}</th>
                <td>{views}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}

/** Placeholder of the chart, in the same geometry. */
export function ViewsChartSkeleton() {
  return (
    <div className={styles['chart']} aria-hidden="true">
      <div className={styles['caption']}>{t`Views, last ${DAYS} days`}</div>
      <div className={styles['bars']}>
        {Array.from({ length: DAYS }, (_, day) => (
          <span key={day} className={styles['day']}>
            <i className={styles['expected']} />
          </span>
        ))}
      </div>
      <div className={styles['axis']}>&nbsp;</div>
    </div>
  )
}
