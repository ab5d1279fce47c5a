import * as contract from '@kinora/contract/live/premieres.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { writeLimit } from '../../../context/limits.ts'
import { deleteReminder, putReminder } from '../../messages/notifications/queries/reminders.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import { getPremiere } from './queries.ts'

export const premiereRoutes = [
  route(contract.getPremiere, ({ params, user }, { db, clock }: WebContext) =>
    getPremiere(db, params.videoId, user?.id ?? null, clock.now()),
  ),

  route(
    contract.putReminder,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      if (!(await putReminder(db, params.videoId, user.id))) throw videoNotFound()
      return null
    },
  ),

  route(
    contract.deleteReminder,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits, clock }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      // throws where nothing is announced
      await getPremiere(db, params.videoId, user.id, clock.now())
      await deleteReminder(db, params.videoId, user.id)
      return null
    },
  ),
]
