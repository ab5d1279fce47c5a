import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { lockedVideosQuery } from '../../features/videos/share-links/api.ts'
import { LockedCards } from '../../features/videos/share-links/locked-cards.tsx'
import { itemsOf } from '../../lib/list-pages.ts'
import { paths } from '../../paths.ts'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './channel-page.module.css'

/** The videos of a channel that open with a password, if there are any. */
export function LockedSection({ username }: { username: string }) {
  const query = useInfiniteQuery(lockedVideosQuery(username))
  const videos = itemsOf(query.data)
  if (videos.length === 0) return null
  return (
    <Part title={t`With a password`} level="h3" isDivided>
      <LockedCards videos={videos} heading="h3" />
      <LoadMore query={query} />
      <p className={styles['allLocked']}>
        <Link to={paths.lockedVideos()}>{t`Videos of all channels with a password`}</Link>
      </p>
    </Part>
  )
}
