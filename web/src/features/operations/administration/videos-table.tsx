import { t } from '@lingui/core/macro'
import type { ListedVideo } from '@kinora/contract/operations/moderation.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatPublishedDay } from '../../../lib/format/published-day.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import styles from './cells.module.css'
import { PersonLink, Subject } from './cells.tsx'
import { VideoStateBadge } from './video-state-badge.tsx'

/** Videos of everybody, with what the caller may do to them. */
export function VideosTable({
  videos,
  mayDelete,
  approve,
  takeDown,
  mark,
  showAgain,
  reprocess,
  deleteVideo,
}: {
  videos: readonly ListedVideo[]
  /** Whether the caller may also process videos again. */
  mayDelete: boolean
  approve: (video: ListedVideo) => void
  takeDown: (video: ListedVideo) => void
  mark: (video: ListedVideo) => void
  showAgain: (video: ListedVideo) => void
  reprocess: (video: ListedVideo) => void
  deleteVideo: (video: ListedVideo) => void
}) {
  const [nowMs] = useState(() => Date.now())
  return (
    <DataTable
      labelledBy="entries"
      rows={videos}
      idOf={({ _id }) => _id}
      nameOf={({ title }) => title}
      columns={[
        { heading: t`Video`, kind: 'name', render: (video) => <VideoSubject video={video} /> },
        {
          heading: t`State`,
          render: ({ state, takedownReason, sensitiveReason }) => (
            <>
              <VideoStateBadge state={state} />{' '}
              {sensitiveReason !== null && (
                <span className={styles['note']}>{t`Sensitive: ${sensitiveReason}`}</span>
              )}
              {takedownReason !== null && <span className={styles['note']}>{takedownReason}</span>}
            </>
          ),
        },
        { heading: t`Views`, kind: 'number', render: ({ views }) => formatFullCount(views) },
        { heading: t`Size`, kind: 'number', render: ({ bytes }) => formatBytes(bytes) },
        {
          heading: t`Uploaded`,
          kind: 'day',
          render: ({ createdAt }) => <time dateTime={createdAt}>{formatPublishedDay(createdAt, nowMs)}</time>,
        },
      ]}
      renderButtons={(video) => {
        const { state } = video
        if (state === 'waiting')
          return (
            <Button
              aria-label={t`Approve: ${video.title}`}
              onClick={() => approve(video)}
            >{t`Approve`}</Button>
          )
        if (mayDelete) return null
        return state === 'taken_down' ? (
          <Button aria-label={t`Show again: ${video.title}`} onClick={() => showAgain(video)}>
            {t`Show again`}
          </Button>
        ) : (
          <Button aria-label={t`Take down… ${video.title}`} onClick={() => takeDown(video)}>
            {t`Take down…`}
          </Button>
        )
      }}
      actions={(video) => {
        const { state } = video
        const isDown = state === 'taken_down'
        const marking = {
          label: video.sensitiveReason === null ? t`Mark as sensitive…` : t`Remove the sensitive mark`,
          onSelect: () => mark(video),
        }
        if (!mayDelete)
          return state === 'waiting'
            ? [{ label: t`Take down…`, onSelect: () => takeDown(video) }, marking]
            : [marking]
        return [
          isDown
            ? { label: t`Show again`, onSelect: () => showAgain(video) }
            : { label: t`Take down…`, onSelect: () => takeDown(video) },
          marking,
          ...(isDown || state === 'processing'
            ? []
            : [{ label: t`Process again`, onSelect: () => reprocess(video) }]),
          { label: t`Delete…`, onSelect: () => deleteVideo(video) },
        ]
      }}
    />
  )
}

function VideoSubject({ video: { _id, title, owner, state, thumbnail } }: { video: ListedVideo }) {
  return (
    <Subject
      picture={
        <span className={styles['thumbnail']}>
          {thumbnail !== null && <Thumbnail src={thumbnail} sizes="96px" />}
        </span>
      }
      note={
        <>
          <PersonLink username={owner} />
          {thumbnail === null && state !== 'taken_down' && ` · ${t`Private`}`}
        </>
      }
    >
      {thumbnail === null ? (
        <bdi>{title}</bdi>
      ) : (
        <Link to={paths.watch(_id)} dir="auto">
          {title}
        </Link>
      )}
    </Subject>
  )
}
