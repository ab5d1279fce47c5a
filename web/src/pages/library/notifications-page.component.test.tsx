import { countUnreadNotifications } from '@kinora/contract/messages/notifications.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPage, reply } from '../../testing/site.tsx'

const bell = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true })

test('the bell counts what came since the notifications were last opened', async () => {
  reply(countUnreadNotifications, { unread: 2 })
  await openPage('/about')
  await bell('Notifications, 2 unread').click()
  await expect.element(bell('Notifications')).toBeVisible()
  reply(countUnreadNotifications, { unread: 3 })
  await openPage('/about')
  await expect.element(bell('Notifications, 1 unread')).toBeVisible()
  // The ones that were read elsewhere do not hide new ones.
  reply(countUnreadNotifications, { unread: 0 })
  await openPage('/about')
  // the bell looks the same before it knows
  await expect.poll(() => Object.values(localStorage)).toContain('0')
  await expect.element(bell('Notifications')).toBeVisible()
  reply(countUnreadNotifications, { unread: 1 })
  await openPage('/about')
  await expect.element(bell('Notifications, 1 unread')).toBeVisible()
})
