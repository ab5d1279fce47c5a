import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { CheckCheck, Settings2 } from 'lucide-react'
import { useEffect } from 'react'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { Link } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import {
  notificationsQuery,
  useReadAllNotifications,
  useReadNotification,
} from '../../features/messages/notifications/api.ts'
import { saveSeen, unreadQuery } from '../../features/messages/notifications/unread.ts'
import { NotificationItem } from '../../features/messages/notifications/notification-item.tsx'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { itemsOf } from '../../lib/list-pages.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import styles from './library.module.css'

/** Notifications of the signed-in user. */
export function NotificationsPage() {
  return (
    <MembersOnly skeleton={<VideoRowsSkeleton />}>
      <PageTitle title={t`Notifications`} />
      <Notifications />
    </MembersOnly>
  )
}

/** The bell does not count what the page shows. */
function useSeen() {
  const client = useQueryClient()
  const userId = useAuth().authData?._id
  const unread = useQuery(unreadQuery).data?.unread
  useEffect(() => {
    if (userId !== undefined && unread !== undefined) saveSeen(client, userId, unread)
  }, [client, userId, unread])
}

function Notifications() {
  useSeen()
  const query = useInfiniteQuery(notificationsQuery)
  const notifications = itemsOf(query.data)
  const reading = useReadNotification()
  const readingAll = useReadAllNotifications()
  return (
    <div className={styles['list']}>
      <div className={styles['head']}>
        <h1 className={styles['heading']}>{t`Notifications`}</h1>
        <div className={styles['buttons']}>
          {notifications.some(({ isRead }) => !isRead) && (
            <Button onClick={() => readingAll.mutate()}>
              <Icon of={CheckCheck} />
              {t`Mark all as read`}
            </Button>
          )}
          <Link className={buttonClass('quiet')} to={paths.account('notifications')}>
            <Icon of={Settings2} />
            {t`Notification settings`}
          </Link>
        </div>
      </div>
      {readingAll.isError && <Alert>{failureMessage(readingAll.error)}</Alert>}
      <PagedList
        query={query}
        items={notifications}
        failure={t`Could not load your notifications`}
        skeleton={<VideoRowsSkeleton />}
        empty={
          <EmptyState
            title={t`No notifications yet`}
            text={t`New videos of channels you follow, comments on your videos and new subscribers appear here.`}
          />
        }
      >
        {(items) => (
          <ul className={styles['notifications']}>
            {items.map((notification) => (
              <li key={notification._id}>
                <NotificationItem
                  notification={notification}
                  onOpen={() => reading.mutate(notification._id)}
                />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}
