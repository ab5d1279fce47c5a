import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Rss } from 'lucide-react'
import { feedVisitQuery } from '../../features/watching/subscriptions/api.ts'
import { paths } from '../../paths.ts'
import { NavItem } from './nav-item.tsx'

/** The entry of the feed; a dot says that it has new videos. */
export function FeedItem(props: { className?: string | undefined; onNavigate?: () => void }) {
  const { data } = useQuery(feedVisitQuery)
  return (
    <NavItem
      icon={Rss}
      label={t`Feed`}
      to={() => paths.feed()}
      note={data?.hasNew ? t`Something new` : undefined}
      {...props}
    />
  )
}
