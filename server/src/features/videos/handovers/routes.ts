import * as contract from '@kinora/contract/videos/handovers.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { writeLimit } from '../../../context/limits.ts'
import { assertNotShared } from '../collaborators/actions.ts'
import { acceptHandover, endHandover, offerVideos } from './actions/offer-videos.ts'
import { listHandovers } from './queries.ts'

export const handoverRoutes = [
  route(contract.listHandovers, ({ user }, { db, clock }: WebContext) =>
    listHandovers(db, user.id, clock.now()),
  ),

  route(contract.createHandover, { clears: [] }, async ({ body, user }, context: WebContext) => {
    context.limits.of(writeLimit).assertAllowed(user.id)
    assertNotShared([user.username, body.username], context.config)
    await offerVideos(context, user.id, body)
    return listHandovers(context.db, user.id, context.clock.now())
  }),

  route(
    contract.acceptHandover,
    { clears: ['videos', 'channels'] },
    async ({ params, user }, context: WebContext) => {
      await acceptHandover(context, user.id, params.handoverId)
      return listHandovers(context.db, user.id, context.clock.now())
    },
  ),

  route(contract.deleteHandover, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await endHandover(context, user.id, params.handoverId)
    return listHandovers(context.db, user.id, context.clock.now())
  }),
]
