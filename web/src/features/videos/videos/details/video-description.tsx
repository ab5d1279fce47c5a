import { plural } from '@lingui/core/macro'
import { pageLanguage } from '../../../../lib/i18n/language.ts'
import type { DetailedVideo, Video } from '@kinora/contract/videos/videos.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { formatFullCount } from '../../../../lib/format/counts.ts'
import { ExpandableText } from '../../../../ui/text/expandable-text.tsx'
import { type TimeLinks, LinkifiedText } from '../../../../ui/text/linkified-text.tsx'
import { paths } from '../../../../paths.ts'
import styles from './video-description.module.css'
import { VideoFacts } from './video-facts.tsx'

/** Views, age, description, clamped to four lines until expanded, and what else the owner states. */
export function VideoDescription({
  video,
  times,
}: {
  video: Video & Partial<DetailedVideo>
  times: TimeLinks
}) {
  const [nowMs] = useState(() => Date.now())
  return (
    <div>
      <p className={styles['facts']}>
        <span>
          {plural(video.views, {
            one: `${formatFullCount(video.views)} view`,
            other: `${formatFullCount(video.views)} views`,
          })}
        </span>
        {' · '}
        <time dateTime={video.createdAt} title={new Date(video.createdAt).toLocaleString(pageLanguage)}>
          {formatAge(video.createdAt, nowMs)}
        </time>
      </p>
      <ExpandableText lines={4} className={styles['text']}>
        <LinkifiedText text={video.description} times={times} moved={video.movedTimes} tagLink={tagLink} />
      </ExpandableText>
      <VideoFacts video={video} />
    </div>
  )
}

const tagLink = (tag: string, text: string) => <Link to={paths.tag(tag)}>{text}</Link>
