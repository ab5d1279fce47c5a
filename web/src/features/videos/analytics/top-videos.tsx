import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatPercent } from '../../../lib/format/percent.ts'
import { formatTotal } from '../../../lib/format/total-duration.ts'
import { paths } from '../../../paths.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import styles from './report.module.css'

interface TopVideo {
  _id: string
  title: string
  views: number
  watchedSeconds: number
  averageShare: number | null
}

/** The videos that were watched the longest, each with a link to its analytics. */
export function TopVideos({ videos }: { videos: readonly TopVideo[] }) {
  return (
    <section className={styles['part']} aria-labelledby="top-videos">
      <h2 id="top-videos">{t`Videos watched the longest`}</h2>
      <DataTable
        labelledBy="top-videos"
        rows={videos}
        idOf={({ _id }) => _id}
        nameOf={({ title }) => title}
        columns={[
          {
            heading: t`Title`,
            kind: 'name',
            render: ({ _id, title }) => (
              <Link className={styles['video']} to={paths.videoAnalytics(_id)}>
                <bdi>{title}</bdi>
              </Link>
            ),
          },
          { heading: t`Views`, kind: 'number', render: ({ views }) => formatFullCount(views) },
          {
            heading: t`Watch time`,
            kind: 'number',
            render: ({ watchedSeconds }) => formatTotal(watchedSeconds),
          },
          {
            heading: t`Watched on average`,
            kind: 'number',
            render: ({ averageShare }) => (averageShare === null ? '–' : formatPercent(averageShare)),
          },
        ]}
      />
    </section>
  )
}
