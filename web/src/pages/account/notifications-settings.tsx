import { t } from '@lingui/core/macro'
import { NotificationSettings } from '../../features/messages/notifications/notification-settings.tsx'
import { Setting } from './setting.tsx'

/** Kinds of notifications, on the site, by mail and on devices. */
export function NotificationsSettings() {
  return (
    <Setting title={t`Notification settings`}>
      <NotificationSettings />
    </Setting>
  )
}
