import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { CheckCheck, Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import {
  notificationsQuery,
  useReadAllNotifications,
  useReadNotification,
} from '../../features/messages/notifications/api.ts'
import { saveSeen, unreadQuery } from '../../features/messages/notifications/unread.ts'
import { NotificationItem } from '../../features/messages/notifications/notification-item.tsx'
import { NotificationSettingsDialog } from '../../features/messages/notifications/notification-settings.tsx'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { itemsOf } from '../../lib/list-pages.ts'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import { Icon } from '../../ui/icon.tsx'
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
  const [isSettingsOpen, setSettingsOpen] = useState(false)
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
          <Button onClick={() => setSettingsOpen(true)}>
            <Icon of={Settings2} />
            {t`Settings`}
          </Button>
        </div>
      </div>
      {readingAll.isError && <Alert>{failureMessage(readingAll.error)}</Alert>}
      {query.isPending && <VideoRowsSkeleton />}
      {query.isError && notifications.length === 0 && (
        <LoadFailure title={t`Could not load your notifications`} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && notifications.length === 0 && (
        <EmptyState
          title={t`No notifications yet`}
          text={t`New videos of channels you follow, comments on your videos and new subscribers appear here.`}
        />
      )}
      <ul className={styles['notifications']}>
        {notifications.map((notification) => (
          <li key={notification._id}>
            <NotificationItem notification={notification} onOpen={() => reading.mutate(notification._id)} />
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        hasFailed={query.isFetchNextPageError}
        onMore={query.fetchNextPage}
      />
      {isSettingsOpen && <NotificationSettingsDialog onClose={() => setSettingsOpen(false)} />}
    </div>
  )
}
