import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { iconButtonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import { saveSeen, seenQuery, unreadQuery } from './unread.ts'
import styles from './notification-bell.module.css'
import { useUnreadEvents } from './use-unread-events.ts'

const MAX_SHOWN = 99

/**
 * Link to the notifications with the number of those that came since their page was last opened, kept current. Only for
 * signed-in people.
 */
export function NotificationBell({ userId }: { userId: string }) {
  const client = useQueryClient()
  const { data } = useQuery(unreadQuery)
  const { data: seen = 0 } = useQuery(seenQuery(userId))
  useUnreadEvents()
  // Those that were read meanwhile do not hide new ones.
  const isOutdated = data !== undefined && data.unread < seen
  useEffect(() => {
    if (isOutdated) saveSeen(client, userId, data.unread)
  }, [client, userId, data, isOutdated])
  const unread = Math.max(0, (data?.unread ?? 0) - seen)
  const label = unread === 0 ? t`Notifications` : t`Notifications, ${unread} unread`
  return (
    <>
      <Link className={iconButtonClass(styles['bell'])} to={paths.notifications()} aria-label={label}>
        <Icon of={Bell} />
        {unread > 0 && (
          <span className={styles['count']} aria-hidden="true">
            {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
          </span>
        )}
      </Link>
      <VisuallyHidden>
        <span aria-live="polite">{unread > 0 && t`${unread} unread`}</span>
      </VisuallyHidden>
    </>
  )
}
