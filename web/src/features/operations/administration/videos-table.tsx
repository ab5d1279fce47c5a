import { t } from '@lingui/core/macro'
import type { ListedVideo } from '@kinora/contract/operations/moderation.ts'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatPublishedDay } from '../../../lib/format/published-day.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import { RowMenu } from './row-menu.tsx'
import styles from './table.module.css'
import { VideoStateBadge } from './video-state-badge.tsx'

/** Videos of everybody, with what the caller may do to them. */
export function VideosTable({
  videos,
  mayDelete,
  approve,
  takeDown,
  showAgain,
  reprocess,
  deleteVideo,
}: {
  videos: readonly ListedVideo[]
  /** Whether the caller may also process videos again. */
  mayDelete: boolean
  approve: (video: ListedVideo) => void
  takeDown: (video: ListedVideo) => void
  showAgain: (video: ListedVideo) => void
  reprocess: (video: ListedVideo) => void
  deleteVideo: (video: ListedVideo) => void
}) {
  const [nowMs] = useState(() => Date.now())
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Video`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col" className={styles['count']}>{t`Views`}</th>
          <th scope="col" className={styles['count']}>{t`Size`}</th>
          <th scope="col">{t`Uploaded`}</th>
          <th scope="col">
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {videos.map((video) => (
          <tr key={video._id}>
            <th scope="row" aria-label={video.title}>
              <span className={styles['subject']}>
                <span className={styles['thumbnail']}>
                  {video.thumbnail !== null && (
                    <img
                      src={video.thumbnail}
                      srcSet={pictureSrcSet(video.thumbnail, 'thumbnail')}
                      sizes="96px"
                      width={96}
                      height={54}
                      alt=""
                      loading="lazy"
                    />
                  )}
                </span>
                <span id={`video-${video._id}`}>
                  {video.thumbnail === null ? (
                    <bdi className={styles['name']}>{video.title}</bdi>
                  ) : (
                    <Link to={paths.watch(video._id)} dir="auto">
                      {video.title}
                    </Link>
                  )}
                  <small>
                    <Link to={paths.person(video.owner)}>
                      <bdi>@{video.owner}</bdi>
                    </Link>
                    {video.thumbnail === null && video.state !== 'taken_down' && ` · ${t`Private`}`}
                  </small>
                </span>
              </span>
            </th>
            <td>
              <VideoStateBadge state={video.state} />{' '}
              {video.takedownReason !== null && (
                <span className={styles['note']}>{video.takedownReason}</span>
              )}
            </td>
            <td className={styles['count']} data-label={t`Views`}>
              {formatFullCount(video.views)}
            </td>
            <td className={styles['count']} data-label={t`Size`}>
              {formatBytes(video.bytes)}
            </td>
            <td className={styles['day']} data-label={t`Uploaded`}>
              <time dateTime={video.createdAt}>{formatPublishedDay(video.createdAt, nowMs)}</time>
            </td>
            <td className={styles['wide']}>
              <span className={styles['actions']}>
                {video.state === 'waiting' && (
                  <Button
                    aria-label={t`Approve: ${video.title}`}
                    onClick={() => approve(video)}
                  >{t`Approve`}</Button>
                )}
                {mayDelete ? (
                  <RowMenu describedBy={`video-${video._id}`}>
                    {video.state === 'taken_down' ? (
                      <button type="button" onClick={() => showAgain(video)}>{t`Show again`}</button>
                    ) : (
                      <button type="button" onClick={() => takeDown(video)}>{t`Take down…`}</button>
                    )}
                    {video.state !== 'taken_down' && video.state !== 'processing' && (
                      <button type="button" onClick={() => reprocess(video)}>{t`Process again`}</button>
                    )}
                    <button type="button" onClick={() => deleteVideo(video)}>{t`Delete…`}</button>
                  </RowMenu>
                ) : video.state === 'taken_down' ? (
                  <Button aria-label={t`Show again: ${video.title}`} onClick={() => showAgain(video)}>
                    {t`Show again`}
                  </Button>
                ) : (
                  <Button aria-label={t`Take down… ${video.title}`} onClick={() => takeDown(video)}>
                    {t`Take down…`}
                  </Button>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
