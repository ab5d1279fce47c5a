import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { paths } from '../../../paths.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { SectionNav } from '../../../ui/section-nav.tsx'
import styles from '../../../ui/section-nav.module.css'

/** Tabs of a channel; owners see three more. */
export function ChannelTabs({ username, isOwn }: { username: string; isOwn: boolean }) {
  const tabs = [
    { label: t`Videos`, to: paths.channelVideos(username) },
    { label: t`Subscribed to`, to: paths.subscribedTo(username) },
    ...(isOwn
      ? [
          { label: t`Dashboard`, to: paths.dashboard(username) },
          { label: t`History`, to: paths.history(username) },
          { label: t`Edit`, to: paths.edit(username) },
        ]
      : []),
  ]
  return <SectionNav label={t`Channel`} sections={tabs} />
}

/** Placeholder until the owner, and so the number of tabs, is known. */
export function ChannelTabsSkeleton() {
  return (
    <div className={clsx(styles['tabs'], styles['placeholder'])} aria-hidden="true">
      <Skeleton />
      <Skeleton />
    </div>
  )
}
