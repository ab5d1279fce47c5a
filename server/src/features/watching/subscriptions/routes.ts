import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import * as contract from '@kinora/contract/watching/subscriptions.ts'
import type { WebContext } from '../../../context/context.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { RowChange } from '@kinora/platform/db/change-row.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import { changeGroup, changeSubscription, createGroup, deleteGroup } from './actions.ts'
import {
  areSubscriptionsPrivate,
  findSubscriptionToOwner,
  getFeedVisit,
  listFeed,
  listGroups,
  listSubscriptions,
  putFeedVisit,
  putSubscriptionsPrivate,
} from './queries.ts'
import { audienceOf } from '../../visibility/queries.ts'
import { writeLimit } from '../../../context/limits.ts'

interface ChannelRequest {
  params: { username: string }
  user: { id: string }
}

const subscriptionOptions = { clears: ['channels'], isAudited: false } as const
const createSubscriptionHandler =
  (change: RowChange) =>
  async ({ params, user }: ChannelRequest, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    const channelId = await getUserId(db, params.username)
    return changeSubscription(db, user.id, channelId, change)
  }

export const subscriptionRoutes = [
  route(contract.hasSubscribed, async ({ params, user }, { db }: WebContext) => {
    const subbed = await findSubscriptionToOwner(db, params.videoId, user.id)
    if (subbed === undefined) throw videoNotFound()
    return { subbed }
  }),

  route(contract.toggleSubscription, subscriptionOptions, createSubscriptionHandler('toggle')),
  route(contract.putSubscription, subscriptionOptions, createSubscriptionHandler('put')),
  route(contract.deleteSubscription, subscriptionOptions, createSubscriptionHandler('delete')),

  route(contract.listSubscriptions, async ({ params, query, user }, { db }: WebContext) => {
    const page = toPageRequest(query)
    const subscriberId = await getUserId(db, params.username)
    if (subscriberId !== user.id && (await areSubscriptionsPrivate(db, subscriberId)))
      throw new AppError(watchingErrors.subscriptionsHidden)
    return listSubscriptions(db, subscriberId, page)
  }),

  route(contract.getSubscriptionSettings, async ({ user }, { db }: WebContext) => ({
    visibleTo: (await areSubscriptionsPrivate(db, user.id)) ? ('self' as const) : ('members' as const),
  })),

  route(contract.putSubscriptionSettings, { clears: [] }, async ({ body, user }, { db }: WebContext) => {
    await putSubscriptionsPrivate(db, user.id, body.visibleTo === 'self')
    return body
  }),

  route(contract.listFeed, async ({ query, user }, { db, siteSettings }: WebContext) =>
    listFeed(db, user.id, toPageRequest(query), audienceOf(user, siteSettings.current), query.group),
  ),

  route(contract.getFeedVisit, ({ user }, { db, siteSettings }: WebContext) =>
    getFeedVisit(db, user.id, audienceOf(user, siteSettings.current)),
  ),

  route(
    contract.putFeedVisit,
    { clears: [], isAudited: false },
    async ({ user }, { db, clock, siteSettings }: WebContext) => {
      await putFeedVisit(db, user.id, clock.now())
      return getFeedVisit(db, user.id, audienceOf(user, siteSettings.current))
    },
  ),

  route(contract.listChannelGroups, async ({ user }, { db }: WebContext) => listGroups(db, user.id)),

  route(contract.createChannelGroup, { clears: [] }, async ({ body, user }, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    return createGroup(db, user.id, body)
  }),

  route(
    contract.updateChannelGroup,
    { clears: [] },
    async ({ params, body, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      return changeGroup(db, user.id, params.groupId, body)
    },
  ),

  route(contract.deleteChannelGroup, { clears: [] }, async ({ params, user }, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    await deleteGroup(db, user.id, params.groupId)
    return null
  }),
]
