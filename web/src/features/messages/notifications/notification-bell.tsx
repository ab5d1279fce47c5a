import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { iconButtonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import { unreadQuery } from './api.ts'
import styles from './notification-bell.module.css'
import { useUnreadEvents } from './use-unread-events.ts'

const MAX_SHOWN = 99

/** Link to the notifications with the number of unread ones, kept current. Only for signed-in people. */
export function NotificationBell() {
  const { data } = useQuery(unreadQuery)
  useUnreadEvents()
  const unread = data?.unread ?? 0
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
