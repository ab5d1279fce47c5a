import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatTotal } from '../../../lib/format/total-duration.ts'
import { paths } from '../../../paths.ts'
import { formatShare } from './labels.ts'
import styles from './top-videos.module.css'

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
    <section className={styles['videos']} aria-labelledby="top-videos">
      <h2 id="top-videos">{t`Videos watched the longest`}</h2>
      <table aria-labelledby="top-videos">
        <thead>
          <tr>
            <th scope="col">{t`Title`}</th>
            <th scope="col">{t`Views`}</th>
            <th scope="col">{t`Watch time`}</th>
            <th scope="col" className={styles['average']}>{t`Watched on average`}</th>
          </tr>
        </thead>
        <tbody>
          {videos.map(({ _id, title, views, watchedSeconds, averageShare }) => (
            <tr key={_id}>
              <th scope="row" aria-label={title}>
                <Link to={paths.videoAnalytics(_id)}>
                  <bdi>{title}</bdi>
                </Link>
              </th>
              <td>{formatFullCount(views)}</td>
              <td>{formatTotal(watchedSeconds)}</td>
              <td className={styles['average']}>{averageShare === null ? '–' : formatShare(averageShare)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
