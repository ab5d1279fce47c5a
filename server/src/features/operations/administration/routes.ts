import * as contract from '@kinora/contract/operations/administration.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { listInvitations } from '../../accounts/invitations/queries.ts'
import { createInvitation, deleteInvitation } from './actions/invitations.ts'
import { getOverview } from './actions/overview.ts'
import { searchAsModerator } from './actions/search-as-moderator.ts'
import { listAuditLog } from './queries.ts'

export const administrationRoutes = [
  route(contract.getOverview, ({ user }, context: WebContext) => getOverview(context, user.id)),

  route(contract.listInvitations, (_, { db }: WebContext) => listInvitations(db)),

  route(contract.createInvitation, { clears: [] }, ({ body, user }, context: WebContext) =>
    createInvitation(context, user, body),
  ),

  route(contract.deleteInvitation, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await deleteInvitation(context, user, params.invitationId)
    return null
  }),

  route(contract.listAuditLog, ({ query, user }, context: WebContext) =>
    searchAsModerator(context, user.id, query.text, (db) => listAuditLog(db, query)),
  ),
]
