import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ListedClip } from '@kinora/contract/watching/clips.ts'
import { clsx } from 'clsx'
import { EyeOff, Scissors } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../lib/format/age.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { useCover } from '../../../lib/sensitive.ts'
import { paths } from '../../../paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import { RowMenu, type RowMenuAction } from '../../../ui/row-menu.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import styles from './clip-list.module.css'

/** Whether viewers of its video can play a clip now. */
export const isPlayable = ({ video, startSeconds }: ListedClip) => video !== null && startSeconds !== null

/** Clips in a list, each with its actions in a menu. */
export function ClipList({
  clips,
  showsMaker = false,
  actionsOf,
}: {
  clips: readonly ListedClip[]
  showsMaker?: boolean
  actionsOf: (clip: ListedClip) => readonly RowMenuAction[]
}) {
  const [nowMs] = useState(() => Date.now())
  return (
    <ul className={styles['list']}>
      {clips.map((clip) => (
        <li key={clip._id}>
          <Still clip={clip} />
          <div className={styles['text']}>
            {isPlayable(clip) ? (
              <Link className={styles['title']} to={paths.clip(clip._id)} dir="auto">
                {clip.title}
              </Link>
            ) : (
              <p className={styles['title']} dir="auto">
                {clip.title}
              </p>
            )}
            <p>
              <Origin clip={clip} />
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

/** Where a clip comes from, or why nobody can play it. */
function Origin({ clip: { video, startSeconds } }: { clip: ListedClip }) {
  if (!video) return t`Its video isn’t available to you`
  if (startSeconds === null)
    return (
      <Trans>
        This part is no longer in{' '}
        <Link to={paths.watch(video._id)} dir="auto">
          {video.title}
        </Link>
      </Trans>
    )
  return (
    <Trans>
      from{' '}
      <Link to={paths.watchFrom(video._id, startSeconds)} dir="auto">
        {video.title}
      </Link>
      , at {formatDuration(startSeconds)}
    </Trans>
  )
}

function Still({ clip: { video, startSeconds, endSeconds } }: { clip: ListedClip }) {
  const [isCovered] = useCover(video ?? undefined)
  if (!video || startSeconds === null || endSeconds === null)
    return (
      <div className={clsx(styles['still'], styles['missing'])}>
        <Icon of={video ? Scissors : EyeOff} size={24} />
      </div>
    )
  return (
    <div className={styles['still']}>
      <Thumbnail src={video.thumbnail} sizes="168px" isCovered={isCovered} />
      <span className={styles['duration']} aria-label={t`Length`}>
        {formatDuration(endSeconds - startSeconds)}
      </span>
    </div>
  )
}
