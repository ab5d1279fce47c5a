import { messageErrors } from '@kinora/contract/messages/errors.ts'
import * as contract from '@kinora/contract/messages/notifications.ts'
import type { WebContext } from '../../../context/context.ts'
import { defaultLimit, toPageRequest } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { listKinds, replaceKinds } from './queries/chosen-kinds.ts'
import * as queries from './queries/notifications.ts'
import { kindsOf } from './rules.ts'

export const notificationRoutes = [
  route(contract.listNotifications, async ({ query, user }, { db }: WebContext) =>
    queries.listNotifications(db, user.id, toPageRequest(query, defaultLimit, 'number')),
  ),

  route(contract.countUnreadNotifications, async ({ user }, { db }: WebContext) => ({
    unread: await queries.countUnread(db, user.id),
  })),

  route(
    contract.readNotification,
    { clears: [], isAudited: false },
    async ({ params, user }, { db }: WebContext) => {
      if (!(await queries.markRead(db, user.id, params.notificationId)))
        throw new AppError(messageErrors.notificationNotFound)
      return null
    },
  ),

  route(
    contract.readAllNotifications,
    { clears: [], isAudited: false },
    async ({ user }, { db }: WebContext) => {
      await queries.markAllRead(db, user.id)
      return null
    },
  ),

  route(contract.getNotificationSettings, async ({ user }, { db }: WebContext) => ({
    muted: await listKinds(db, 'mutedNotifications', user.id),
    kinds: kindsOf(user.role),
  })),

  route(
    contract.putNotificationSettings,
    { clears: [], isAudited: false },
    async ({ body, user }, { db }: WebContext) => {
      await replaceKinds(db, 'mutedNotifications', user.id, body.muted)
      return { muted: await listKinds(db, 'mutedNotifications', user.id), kinds: kindsOf(user.role) }
    },
  ),
]
