import * as contract from '@kinora/contract/operations/people.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { searchAsModerator } from '../administration/actions/search-as-moderator.ts'
import { getPerson, getPersonDetails, listPeople } from '../administration/queries.ts'
import {
  changeQuota,
  changeRole,
  createPasswordLink,
  deletePerson,
  endSessionsOf,
  listSessionsOf,
  removeSecondFactorOf,
} from './actions.ts'

export const personRoutes = [
  route(contract.listPeople, ({ query, user }, context: WebContext) =>
    searchAsModerator(context, user.id, query.text, (db) => listPeople(db, query)),
  ),

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
]
