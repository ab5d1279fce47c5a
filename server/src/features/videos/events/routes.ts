import { followProcessing } from '@kinora/contract/videos/events.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { readCredential } from '@kinora/platform/http/security/api-token.ts'
import { onSessionEnd } from '../../accounts/sessions/actions.ts'
import { onUnread } from '../../messages/notifications/actions.ts'
import { countUnread } from '../../messages/notifications/queries/notifications.ts'
import { onProcessing } from '../videos/actions/follow-processing.ts'
import { listUnreadyVideos } from '../videos/queries/processing.ts'
import { eventStreamSlots } from './limits.ts'

/** The event stream of a user: progress of own videos, and unread notifications, until the session ends. */
export const eventRoutes = [
  route(followProcessing, async ({ user, request, stream }, context: WebContext) => {
    await using _slot = await context.limits.of(eventStreamSlots).take(user.id)
    const token = readCredential(request) ?? ''
    using _session = await onSessionEnd(context, { token, userId: user.id }, () => stream.end())
    using _changes = await onProcessing(
      context,
      user.id,
      (change) => stream.send('processing', change),
      // the client reconnects and gets the current state
      () => stream.end(),
    )
    using _notifications = await onUnread(context, user.id, (unread) =>
      stream.send('notifications', { unread }),
    )
    stream.start()
    // after subscribing, otherwise a change in between would be missed
    for (const video of await listUnreadyVideos(context.db, user.id)) stream.send('processing', video)
    stream.send('notifications', { unread: await countUnread(context.db, user.id) })
    await stream.ended
    return null
  }),
]
