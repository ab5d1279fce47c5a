import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Analytics } from '@kinora/contract/videos/analytics.ts'
import { retentionParts } from '@kinora/contract/constants.ts'
import { useMemo } from 'react'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { formatPercent } from '../../../lib/format/percent.ts'
import { formatTotal } from '../../../lib/format/total-duration.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Chart } from './chart.tsx'
import { formatDay, sharesOfCaptions, sharesOfQualities, sharesOfSources } from './labels.ts'
import { NumberTiles } from './number-tiles.tsx'
import styles from './report.module.css'
import { ShareList } from './share-list.tsx'

const playbacksText = (count: number) =>
  plural(count, {
    one: `${formatFullCount(count)} playback`,
    other: `${formatFullCount(count)} playbacks`,
  })

/** Everything about a period: totals, days, retention and shares. */
export function Report({
  analytics,
  durationSeconds,
}: {
  analytics: Analytics
  /** Of a single video; undefined for a channel. */
  durationSeconds?: number
}) {
  const { totals, days, retention, retentionSinceCut, sources, captions, qualities } = analytics
  const { views, watchTime } = useMemo(() => {
    const pointsOf = (valueOf: (day: Analytics['days'][number]) => number) =>
      days.map((day) => ({
        label: formatDay(day.day),
        axisLabel: formatDay(day.day, true),
        value: valueOf(day),
      }))
    return {
      views: pointsOf((day) => day.views),
      watchTime: pointsOf(({ watchedSeconds }) => watchedSeconds / 60),
    }
  }, [days])
  const shown = useMemo(
    () =>
      retention.map((value, part) => {
        const share = formatPercent(part / retentionParts)
        if (durationSeconds === undefined) return { label: share, axisLabel: share, value }
        const time = formatDuration((part / retentionParts) * durationSeconds)
        // Parts of short videos begin within the same second.
        const isShort = durationSeconds < retentionParts
        return { label: `${share} (${time})`, axisLabel: isShort ? share : time, value }
      }),
    [retention, durationSeconds],
  )
  if (totals.views === 0 && totals.playbacks === 0)
    return (
      <EmptyState
        title={t`Not watched in this period`}
        text={t`Numbers appear within a minute of the first view.`}
      />
    )
  return (
    <div className={styles['report']}>
      <NumberTiles
        numbers={[
          { label: t`Views`, value: formatFullCount(totals.views) },
          { label: t`Watch time`, value: formatTotal(totals.watchedSeconds) },
          {
            label: t`Watched on average`,
            value: totals.averageShare === null ? '–' : formatPercent(totals.averageShare),
          },
        ]}
      />
      <div className={styles['pair']}>
        <Chart
          title={t`Views by day`}
          unit={t`Day`}
          summary={t`${formatFullCount(totals.views)} in total`}
          points={views}
          pointSteps={daySteps}
          valueSteps={countSteps}
          minPeak={10}
          format={formatFullCount}
        />
        <Chart
          title={t`Watch time by day`}
          unit={t`Day`}
          summary={t`${formatTotal(totals.watchedSeconds)} in total`}
          points={watchTime}
          pointSteps={daySteps}
          valueSteps={minuteSteps}
          minPeak={5}
          format={formatMinutes}
        />
      </div>
      {totals.playbacks > 0 && (
        <>
          <Chart
            title={t`Audience retention`}
            unit={durationSeconds === undefined ? t`Part of the video` : t`Part and time`}
            summary={
              retentionSinceCut
                ? t`${playbacksText(retentionSinceCut.playbacks)} since ${formatDay(retentionSinceCut.day)}, the day after the last cut`
                : playbacksText(totals.playbacks)
            }
            points={shown}
            pointSteps={partSteps}
            valueSteps={shareSteps}
            minPeak={1}
            format={formatPercent}
          />
          <div className={styles['shares']}>
            <ShareList
              title={t`Where viewers came from`}
              name={t`Source`}
              amount={t`Playbacks`}
              shares={sharesOfSources(sources)}
              format={formatFullCount}
            />
            <div className={styles['small']}>
              <ShareList
                title={t`Captions`}
                name={t`Language`}
                amount={t`Watch time`}
                shares={sharesOfCaptions(captions)}
                format={formatTotal}
              />
              <ShareList
                title={t`Quality`}
                name={t`Resolution`}
                amount={t`Watch time`}
                shares={sharesOfQualities(qualities)}
                format={formatTotal}
              />
            </div>
          </div>
        </>
      )}
      <p className={styles['note']}>
        <Trans>Counted without cookies. Nothing about viewers is stored, only sums of each day in UTC.</Trans>
      </p>
    </div>
  )
}

/** Days, weeks, months and years. */
const daySteps = [1, 2, 7, 14, 28, 91, 182, 365, 730, 1825]
const partSteps = [10, 20, 25, 50]
const shareSteps = [0.25, 0.5]
const countSteps = [1, 2, 5].flatMap((step) => [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((size) => step * size))
countSteps.sort((a, b) => a - b)
const minuteSteps = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3000, 6000, 12_000, 30_000, 60_000, 600_000,
]

const formatMinutes = (minutes: number) => formatTotal(minutes * 60)
