import * as contract from '@kinora/contract/administration.ts'
import * as invitations from '@kinora/contract/invitations.ts'
import type { WebContext } from '../../context.ts'
import { route } from '../../platform/http/routing/route.ts'
import { listInvitations } from '../invitations/queries.ts'
import { changeHeldOfAny } from './actions/comments.ts'
import { createInvitation, deleteInvitation } from './actions/invitations.ts'
import { getOverview } from './actions/overview.ts'
import {
  changeQuota,
  changeRole,
  createPasswordLink,
  deletePerson,
  endSessionsOf,
  listSessionsOf,
  removeSecondFactorOf,
} from './actions/people.ts'
import { changeVideoApproval, deleteVideo, reprocessAny } from './actions/videos.ts'
import { getPerson, getPersonDetails, listAuditLog, listComments, listPeople, listVideos } from './queries.ts'

export const administrationRoutes = [
  route(contract.getOverview, ({ user }, context: WebContext) => getOverview(context, user.id)),

  route(contract.listPeople, ({ query, user }, { db }: WebContext) => listPeople(db, query, user.id)),

  route(contract.getPerson, ({ params }, { db }: WebContext) => getPersonDetails(db, params.username)),

  route(contract.listSessionsOfPerson, ({ params, user }, context: WebContext) =>
    listSessionsOf(context, user, params.username),
  ),

  route(contract.endSessionOfPerson, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await endSessionsOf(context, user, params.username, params.sessionId)
    return null
  }),

  route(contract.endSessionsOfPerson, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await endSessionsOf(context, user, params.username)
    return null
  }),

  route(contract.createPasswordLink, { clears: [] }, async ({ params, user }, context: WebContext) => {
    const { code, expiresAt } = await createPasswordLink(context, user, params.username)
    return { code, expiresAt: expiresAt.toISOString() }
  }),

  route(
    contract.removeSecondFactorOfPerson,
    { clears: [] },
    async ({ params, user }, context: WebContext) => {
      await removeSecondFactorOf(context, user, params.username)
      return null
    },
  ),

  route(contract.changeRole, { clears: [] }, async ({ params, body, user }, context: WebContext) => {
    const { id } = await changeRole(context, user, params.username, body.role)
    return getPerson(context.db, id)
  }),

  route(contract.changeQuota, { clears: [] }, async ({ params, body, user }, context: WebContext) => {
    const { id } = await changeQuota(context, user, params.username, body)
    return getPerson(context.db, id)
  }),

  route(
    contract.deletePerson,
    { clears: ['videos', 'counts', 'channels', 'comments'] },
    async ({ params, user }, context: WebContext) => {
      await deletePerson(context, user, params.username)
      return null
    },
  ),

  route(contract.listAllVideos, ({ query, user }, { db }: WebContext) => listVideos(db, query, user.id)),

  route(contract.reprocessAnyVideo, { clears: ['videos'] }, async ({ params, user }, context: WebContext) => {
    await reprocessAny(context, user, params.id)
    return null
  }),

  route(
    contract.changeVideoApproval,
    { clears: ['videos'] },
    async ({ params, body, user }, context: WebContext) => {
      await changeVideoApproval(context, user, params.id, body.isApproved)
      return null
    },
  ),

  route(
    contract.deleteAnyVideo,
    { clears: ['videos', 'comments'] },
    async ({ params, user }, context: WebContext) => {
      await deleteVideo(context, user, params.id)
      return null
    },
  ),

  route(contract.listAllComments, ({ query, user }, { db }: WebContext) => listComments(db, query, user.id)),

  route(
    contract.approveAnyComments,
    { clears: ['comments'] },
    async ({ body, user }, context: WebContext) => ({
      ids: await changeHeldOfAny(context, user, body.ids, false),
    }),
  ),

  route(contract.holdAnyComments, { clears: ['comments'] }, async ({ body, user }, context: WebContext) => ({
    ids: await changeHeldOfAny(context, user, body.ids, true),
  })),

  route(invitations.listInvitations, (_, { db }: WebContext) => listInvitations(db)),

  route(invitations.createInvitation, { clears: [] }, ({ body, user }, context: WebContext) =>
    createInvitation(context, user, body),
  ),

  route(invitations.deleteInvitation, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await deleteInvitation(context, user, params.invitationId)
    return null
  }),

  route(contract.listAuditLog, ({ query, user }, { db }: WebContext) => listAuditLog(db, query, user.id)),
]
