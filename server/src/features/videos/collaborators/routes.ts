import * as contract from '@kinora/contract/videos/collaborators.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { writeLimit } from '../../../context/limits.ts'
import {
  acceptCollaboration,
  assertNotShared,
  endCollaboration,
  putCollaborator,
  removeCollaborator,
} from './actions.ts'
import { listActivity } from './queries/activity.ts'
import { listCollaborations, listCollaborators } from './queries/people.ts'

export const collaboratorRoutes = [
  route(contract.listCollaborators, ({ channel }, { db }: WebContext) => listCollaborators(db, channel.id)),

  route(
    contract.putCollaborator,
    { clears: [] },
    async ({ params, body, channel, user }, context: WebContext) => {
      context.limits.of(writeLimit).assertAllowed(user.id)
      assertNotShared([user.username, params.username], context.config)
      await putCollaborator(context, channel.id, { ...params, ...body, actorId: user.id })
      return listCollaborators(context.db, channel.id)
    },
  ),

  route(
    contract.deleteCollaborator,
    { clears: [] },
    async ({ params, channel, user }, context: WebContext) => {
      await removeCollaborator(context, channel.id, { ...params, actorId: user.id })
      return listCollaborators(context.db, channel.id)
    },
  ),

  route(contract.listActivity, ({ query, channel }, { db }: WebContext) =>
    listActivity(db, channel.id, toPageRequest(query, 50, 'number')),
  ),

  route(contract.listCollaborations, ({ user }, { db }: WebContext) => listCollaborations(db, user.id)),

  route(contract.acceptCollaboration, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await acceptCollaboration(context, user, params.username)
    return listCollaborations(context.db, user.id)
  }),

  route(contract.endCollaboration, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await endCollaboration(context, user, params.username)
    return listCollaborations(context.db, user.id)
  }),
]
