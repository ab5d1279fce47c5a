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
import { DataTable, type Selection } from '../../../ui/data-table.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './studio-list.module.css'
import { VisibilityBadge } from './visibility-badge.tsx'

/** Own videos to select, each with its numbers and a link to its page. */
export function StudioList({ videos, selection }: { videos: readonly OwnVideo[]; selection: Selection }) {
  const [nowMs] = useState(() => Date.now())
  return (
    <DataTable
      label={t`Videos`}
      rows={videos}
      idOf={({ _id }) => _id}
      nameOf={({ title }) => title}
      selection={selection}
      columns={[
        { heading: t`Title`, kind: 'name', render: (video) => <Title video={video} /> },
        { heading: t`Visibility`, render: (video) => <VisibilityBadge video={video} /> },
        {
          heading: t`Published`,
          kind: 'day',
          render: ({ createdAt }) => <time dateTime={createdAt}>{formatPublishedDay(createdAt, nowMs)}</time>,
        },
        {
          heading: t`Views`,
          kind: 'number',
          isLabelled: false,
          render: (video) => (
            <Link className={styles['views']} to={paths.videoAnalytics(video._id)}>
              <Icon of={ChartColumn} size={16} />
              <VisuallyHidden>{t`Analytics:`}</VisuallyHidden>
              {formatFullCount(video.views)}
              <span className={styles['unit']}> {plural(video.views, { one: 'view', other: 'views' })}</span>
            </Link>
          ),
        },
        { heading: t`Likes`, kind: 'number', render: ({ totalLikes }) => formatFullCount(totalLikes) },
      ]}
    />
  )
}

function Title({ video: { _id, title, thumbnail, duration, isLive } }: { video: OwnVideo }) {
  return (
    <Link className={styles['title']} to={paths.studioVideo(_id)}>
      <span className={styles['thumbnail']}>
        <img
          src={thumbnail}
          srcSet={pictureSrcSet(thumbnail, 'thumbnail')}
          sizes="112px"
          width={112}
          height={63}
          alt=""
          loading="lazy"
        />
        <span className={styles['duration']} data-live={isLive} aria-hidden={!isLive}>
          {isLive ? t`Live` : formatDuration(duration)}
        </span>
      </span>
      <bdi>{title}</bdi>
    </Link>
  )
}
