import { t } from '@lingui/core/macro'
import type { SharedEntry } from '@kinora/contract/watching/shared-playlists.ts'
import { VideoOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatDuration } from '../../../lib/format/duration.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { useCover } from '../../../lib/sensitive.ts'
import styles from './entry-row.module.css'

/** One entry of a playlist: the video, which opens in the playlist, or a placeholder where it is not available. */
export function EntryRow({
  entry: { video },
  linkTo,
  isCurrent = false,
  isTabStop = true,
  onFocus,
  children,
}: {
  entry: { video: SharedEntry['video'] | null }
  /** The address that opens a video of the list. */
  linkTo: (videoId: string) => string
  isCurrent?: boolean
  /** Whether Tab reaches the link. */
  isTabStop?: boolean
  onFocus?: () => void
  /** Actions at the end of the row. */
  children?: ReactNode
}) {
  const [isCovered] = useCover(video)
  return (
    <div className={styles['row']} aria-current={isCurrent ? 'true' : undefined}>
      <div className={styles['thumb']}>
        {video ? (
          <>
            <Thumbnail src={video.thumbnail} sizes="144px" isCovered={isCovered} />
            <span className={styles['duration']}>{formatDuration(video.duration)}</span>
          </>
        ) : (
          <Icon of={VideoOff} />
        )}
      </div>
      <div className={styles['text']}>
        {video ? (
          <>
            <Link
              className={styles['title']}
              to={linkTo(video._id)}
              dir="auto"
              tabIndex={isTabStop ? undefined : -1}
              onFocus={onFocus}
            >
              {video.title}
            </Link>
            <p>{video.videoOwner.fullname}</p>
          </>
        ) : (
          <p>{t`This video is no longer available`}</p>
        )}
      </div>
      {children && <div className={styles['actions']}>{children}</div>}
    </div>
  )
}
