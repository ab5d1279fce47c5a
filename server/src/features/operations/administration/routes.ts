import * as administration from '@kinora/contract/operations/administration.ts'
import * as moderation from '@kinora/contract/operations/moderation.ts'
import * as people from '@kinora/contract/operations/people.ts'
import * as invitations from '@kinora/contract/accounts/invitations.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { listInvitations } from '../../accounts/invitations/queries.ts'
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
import { searchAsModerator } from './actions/search-as-moderator.ts'
import { changeVideoApproval, deleteVideo, reprocessAny } from './actions/videos.ts'
import { getPerson, getPersonDetails, listAuditLog, listComments, listPeople, listVideos } from './queries.ts'

export const administrationRoutes = [
  route(administration.getOverview, ({ user }, context: WebContext) => getOverview(context, user.id)),

  route(people.listPeople, ({ query, user }, context: WebContext) =>
    searchAsModerator(context, user.id, query.text, (db) => listPeople(db, query)),
  ),

  route(people.getPerson, ({ params }, { db }: WebContext) => getPersonDetails(db, params.username)),

  route(people.listSessionsOfPerson, ({ params, user }, context: WebContext) =>
    listSessionsOf(context, user, params.username),
  ),

  route(people.endSessionOfPerson, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await endSessionsOf(context, user, params.username, params.sessionId)
    return null
  }),

  route(people.endSessionsOfPerson, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await endSessionsOf(context, user, params.username)
    return null
  }),

  route(people.createPasswordLink, { clears: [] }, async ({ params, user }, context: WebContext) => {
    const { code, expiresAt } = await createPasswordLink(context, user, params.username)
    return { code, expiresAt: expiresAt.toISOString() }
  }),

  route(people.removeSecondFactorOfPerson, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await removeSecondFactorOf(context, user, params.username)
    return null
  }),

  route(people.changeRole, { clears: [] }, async ({ params, body, user }, context: WebContext) => {
    const { id } = await changeRole(context, user, params.username, body.role)
    return getPerson(context.db, id)
  }),

  route(people.changeQuota, { clears: [] }, async ({ params, body, user }, context: WebContext) => {
    const { id } = await changeQuota(context, user, params.username, body)
    return getPerson(context.db, id)
  }),

  route(
    people.deletePerson,
    { clears: ['videos', 'counts', 'channels', 'comments'] },
    async ({ params, user }, context: WebContext) => {
      await deletePerson(context, user, params.username)
      return null
    },
  ),

  route(moderation.listAllVideos, ({ query, user }, context: WebContext) =>
    searchAsModerator(context, user.id, query.text, (db) => listVideos(db, query, user.id)),
  ),

  route(
    moderation.reprocessAnyVideo,
    { clears: ['videos'] },
    async ({ params, user }, context: WebContext) => {
      await reprocessAny(context, user, params.id)
      return null
    },
  ),

  route(
    moderation.changeVideoApproval,
    { clears: ['videos'] },
    async ({ params, body, user }, context: WebContext) => {
      await changeVideoApproval(context, user, params.id, body.isApproved)
      return null
    },
  ),

  route(
    moderation.deleteAnyVideo,
    { clears: ['videos', 'comments'] },
    async ({ params, user }, context: WebContext) => {
      await deleteVideo(context, user, params.id)
      return null
    },
  ),

  route(moderation.listAllComments, ({ query, user }, context: WebContext) =>
    searchAsModerator(context, user.id, query.text, (db) => listComments(db, query)),
  ),

  route(
    moderation.approveAnyComments,
    { clears: ['comments'] },
    async ({ body, user }, context: WebContext) => ({
      ids: await changeHeldOfAny(context, user, body.ids, false),
    }),
  ),

  route(
    moderation.holdAnyComments,
    { clears: ['comments'] },
    async ({ body, user }, context: WebContext) => ({
      ids: await changeHeldOfAny(context, user, body.ids, true),
    }),
  ),

  route(invitations.listInvitations, (_, { db }: WebContext) => listInvitations(db)),

  route(invitations.createInvitation, { clears: [] }, ({ body, user }, context: WebContext) =>
    createInvitation(context, user, body),
  ),

  route(invitations.deleteInvitation, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await deleteInvitation(context, user, params.invitationId)
    return null
  }),

  route(administration.listAuditLog, ({ query, user }, context: WebContext) =>
    searchAsModerator(context, user.id, query.text, (db) => listAuditLog(db, query)),
  ),
]
