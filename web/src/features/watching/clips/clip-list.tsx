import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import type { Clip } from '@kinora/contract/watching/clips.ts'
import { clsx } from 'clsx'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { useCover } from '../../../lib/sensitive.ts'
import { paths } from '../../../paths.ts'
import covered from '../../../ui/covered.module.css'
import { RowMenu, type RowMenuAction } from '../../../ui/row-menu.tsx'
import styles from './clip-list.module.css'

/** Clips in a list, each with its actions in a menu. */
export function ClipList({
  clips,
  showsMaker = false,
  actionsOf,
}: {
  clips: readonly Clip[]
  showsMaker?: boolean
  actionsOf: (clip: Clip) => readonly RowMenuAction[]
}) {
  const [nowMs] = useState(() => Date.now())
  return (
    <ul className={styles['list']}>
      {clips.map((clip) => (
        <li key={clip._id}>
          <Still clip={clip} />
          <div className={styles['text']}>
            <Link className={styles['title']} to={paths.clip(clip._id)} dir="auto">
              {clip.title}
            </Link>
            <p>
              <Trans>
                from{' '}
                <Link to={paths.watchFrom(clip.video._id, clip.startSeconds)} dir="auto">
                  {clip.video.title}
                </Link>
                , at {formatDuration(clip.startSeconds)}
              </Trans>
            </p>
            <p>
              {showsMaker && (
                <>
                  <Link to={paths.channel(clip.maker.username)}>
                    <bdi>@{clip.maker.username}</bdi>
                  </Link>
                  {' · '}
                </>
              )}
              <time dateTime={clip.createdAt}>{formatAge(clip.createdAt, nowMs)}</time>
            </p>
          </div>
          <RowMenu of={clip.title} actions={actionsOf(clip)} />
        </li>
      ))}
    </ul>
  )
}

function Still({ clip: { video, startSeconds, endSeconds } }: { clip: Clip }) {
  const [isCovered] = useCover(video)
  return (
    <div className={styles['still']}>
      <img
        className={clsx(isCovered && covered['covered'])}
        src={video.thumbnail}
        srcSet={pictureSrcSet(video.thumbnail, 'thumbnail')}
        sizes="168px"
        width={640}
        height={360}
        alt=""
        loading="lazy"
        decoding="async"
      />
      <span className={styles['duration']} aria-label={t`Length`}>
        {formatDuration(endSeconds - startSeconds)}
      </span>
    </div>
  )
}
