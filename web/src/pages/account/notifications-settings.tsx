import { t } from '@lingui/core/macro'
import { NotificationSettings } from '../../features/messages/notifications/notification-settings.tsx'
import { Part } from '../../ui/part.tsx'

/** Kinds of notifications, on the site, by mail and on devices. */
export function NotificationsSettings() {
  return (
    <Part title={t`Notification settings`}>
      <NotificationSettings />
    </Part>
  )
}
