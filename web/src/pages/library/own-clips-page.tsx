import { t } from '@lingui/core/macro'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { OwnClips } from '../../features/watching/clips/clip-lists.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './library.module.css'

/** Clips that the account made. */
export function OwnClipsPage() {
  return (
    <MembersOnly skeleton={<VideoRowsSkeleton />}>
      <PageTitle title={t`Your clips`} />
      <div className={styles['list']}>
        <h1 className={styles['heading']}>{t`Your clips`}</h1>
        <OwnClips />
      </div>
    </MembersOnly>
  )
}
