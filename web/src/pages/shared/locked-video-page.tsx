import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { lockedKey, lockedVideoQuery, sharedVideoQuery } from '../../features/videos/share-links/api.ts'
import { LockedStill } from '../../features/videos/share-links/locked-cards.tsx'
import { paths } from '../../paths.ts'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { LinkPasswordForm } from './link-password-form.tsx'
import styles from './shared-page.module.css'
import { SharedVideoPage } from './shared-video.tsx'
import { useLinkCheck } from './use-link-check.ts'

/** A video that opens with a password: until then its title, and its picture if the owner shows it. */
export function LockedVideoPage() {
  const { videoId = '' } = useParams()
  const key = lockedKey(videoId)
  const locked = useQuery(lockedVideoQuery(videoId))
  const { data: opened, error } = useQuery(sharedVideoQuery(key))
  useLinkCheck(key, opened?.video, error)
  if (opened?.video && !error) return <SharedVideoPage video={opened.video} visit={opened.visit} />
  // gone, or visible to this viewer without the password
  if (locked.error instanceof ApiError && locked.error.status === 404)
    return <Navigate to={paths.watch(videoId)} replace />
  if (locked.error)
    return <LoadFailure title={t`Could not load the video`} onRetry={() => void locked.refetch()} />
  if (!locked.data) return null
  return (
    <div className={styles['gate']}>
      <PageTitle title={locked.data.title} />
      <LockedStill video={locked.data} />
      <h1 dir="auto">{locked.data.title}</h1>
      <p className={styles['owner']}>
        <bdi>{locked.data.videoOwner.fullname}</bdi>
      </p>
      <LinkPasswordForm linkKey={key} hint={t`The owner of the video gives it to those who may watch.`} />
    </div>
  )
}
