import type { Video } from '@kinora/contract/videos.ts'
import { useState } from 'react'
import { formatAge } from '../../../lib/format/age.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { ExpandableText } from '../../../ui/text/expandable-text.tsx'
import { type TimeLinks, LinkifiedText } from '../../../ui/text/linkified-text.tsx'
import styles from './video-description.module.css'

/** Views, age and description, clamped to four lines until expanded. */
export function VideoDescription({ video, times }: { video: Video; times: TimeLinks }) {
  const [nowMs] = useState(() => Date.now())
  return (
    <div>
      <p className={styles['facts']}>
        <span>
          {formatFullCount(video.views)} {video.views === 1 ? 'view' : 'views'}
        </span>
        {' · '}
        <time dateTime={video.createdAt} title={new Date(video.createdAt).toLocaleString('en')}>
          {formatAge(video.createdAt, nowMs)}
        </time>
      </p>
      <ExpandableText lines={4} className={styles['text']}>
        <LinkifiedText text={video.description} times={times} />
      </ExpandableText>
    </div>
  )
}
