import * as contract from '@kinora/contract/watching/channels.ts'
import type { WebContext } from '../../../context/context.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { listPublicPlaylists } from '../playlists/queries/playlists.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import { audienceOf, audienceOnChannel } from '../../visibility/queries.ts'
import { assertStillHasRole, recordActivity } from '../../videos/collaborators/actions.ts'
import { getProfile, listChannels, listPopularChannels, putProfile, searchChannelVideos } from './queries.ts'

export const channelRoutes = [
  route(contract.listChannels, ({ query, user }, { db, siteSettings }: WebContext) => {
    const list = query.sort === 'popular' ? listPopularChannels : listChannels
    return list(db, toPageRequest(query, 50), user?.id ?? null, audienceOf(user, siteSettings.current))
  }),

  route(contract.getChannelProfile, async ({ params, user }, { db, siteSettings }: WebContext) => {
    const channelId = await getUserId(db, params.username)
    return getProfile(db, channelId, user.id, audienceOnChannel(user, channelId, siteSettings.current))
  }),

  route(contract.putChannelProfile, { clears: [] }, async ({ body, channel, user }, context: WebContext) => {
    const profile = await context.db.transaction().execute(async (transaction) => {
      await assertStillHasRole(transaction, user.id, channel.id, 'manager')
      await putProfile(transaction, channel.id, body)
      return getProfile(transaction, channel.id, channel.id)
    })
    await recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'channel_changed' })
    return profile
  }),

  route(contract.findChannelVideos, async ({ params, query, user }, { db, siteSettings }: WebContext) => {
    const page = toPageRequest(query)
    const channelId = await getUserId(db, params.username)
    return searchChannelVideos(db, channelId, user.id, {
      text: query.text,
      sort: query.sort ?? 'newest',
      page,
      audience: audienceOnChannel(user, channelId, siteSettings.current),
    })
  }),

  route(contract.listChannelPlaylists, async ({ params, user }, { db }: WebContext) =>
    listPublicPlaylists(db, await getUserId(db, params.username), user.id),
  ),
]
