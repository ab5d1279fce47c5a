import { plural, t } from '@lingui/core/macro'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import type { OwnVideo } from '@kinora/contract/videos/studio.ts'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { formatPublishedDay } from '../../../lib/format/published-day.ts'
import { paths } from '../../../paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import { rowSelection } from '../../../ui/row-selection.ts'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './studio-list.module.css'
import { VisibilityBadge } from './visibility-badge.tsx'

/** Own videos to select, each with its numbers and a link to its page. */
export function StudioList({
  videos,
  selected,
  onSelect,
}: {
  videos: readonly OwnVideo[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}) {
  const [nowMs] = useState(() => Date.now())
  const { isAllSelected, toggleAll, toggle } = rowSelection(
    videos.map(({ _id }) => _id),
    selected,
    onSelect,
  )
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">
            <Check label={t`Select all`} isChecked={isAllSelected} onChange={toggleAll} />
          </th>
          <th scope="col">{t`Title`}</th>
          <th scope="col">{t`Visibility`}</th>
          <th scope="col" className={styles['day']}>{t`Published`}</th>
          <th scope="col" className={styles['views']}>{t`Views`}</th>
          <th scope="col" className={styles['count']}>{t`Likes`}</th>
        </tr>
      </thead>
      <tbody>
        {videos.map((video) => (
          <tr key={video._id} data-selected={selected.has(video._id) || undefined}>
            <td>
              <Check
                label={t`Select ${video.title}`}
                isChecked={selected.has(video._id)}
                onChange={() => toggle(video._id)}
              />
            </td>
            <th scope="row" aria-label={video.title}>
              <Link className={styles['title']} to={paths.studioVideo(video._id)}>
                <span className={styles['thumbnail']}>
                  <img
                    src={video.thumbnail}
                    srcSet={pictureSrcSet(video.thumbnail, 'thumbnail')}
                    sizes="112px"
                    width={112}
                    height={63}
                    alt=""
                    loading="lazy"
                  />
                  <span className={styles['duration']} aria-hidden="true">
                    {formatDuration(video.duration)}
                  </span>
                </span>
                <bdi>{video.title}</bdi>
              </Link>
            </th>
            <td className={styles['visibility']}>
              <VisibilityBadge video={video} />
            </td>
            <td className={styles['day']}>
              <time dateTime={video.createdAt}>{formatPublishedDay(video.createdAt, nowMs)}</time>
            </td>
            <td className={styles['views']}>
              <Link to={paths.videoAnalytics(video._id)}>
                <Icon of={ChartColumn} size={16} />
                <VisuallyHidden>{t`Analytics:`}</VisuallyHidden>
                {formatFullCount(video.views)}
                <span className={styles['unit']}>
                  {' '}
                  {plural(video.views, { one: 'view', other: 'views' })}
                </span>
              </Link>
            </td>
            <td className={styles['count']}>{formatFullCount(video.totalLikes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Check({ label, isChecked, onChange }: { label: string; isChecked: boolean; onChange: () => void }) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" aria-label={label} checked={isChecked} onChange={onChange} />
    </label>
  )
}
