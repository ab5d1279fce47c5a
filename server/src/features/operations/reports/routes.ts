import * as contract from '@kinora/contract/operations/reports.ts'
import type { WebContext } from '../../../context/context.ts'
import { addressKey, networkKey } from '@kinora/platform/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { assertBelowNewAccountLimit } from '../../accounts/new-accounts/actions.ts'
import * as actions from './actions.ts'
import * as queries from './queries.ts'
import { writeLimit } from '../../../context/limits.ts'

export const reportRoutes = [
  route(contract.createReport, { clears: [] }, async ({ body, user }, context: WebContext) => {
    context.limits.of(writeLimit).assertAllowed(user.id)
    await assertBelowNewAccountLimit(context, user.id, 'reports')
    return { isNew: await actions.addReport(context, user.id, body) }
  }),

  route(contract.getReport, ({ params, user }, { db }: WebContext) =>
    queries.getOwnReport(db, params.reportId, user.id),
  ),

  route(contract.answerDecision, { clears: [] }, ({ params, body, user }, context: WebContext) =>
    actions.answer(context, user.id, params.reportId, body.text),
  ),

  route(contract.answerSuspension, { clears: [] }, async ({ body, request }, context: WebContext) => {
    const from = { address: addressKey(request.ip), network: networkKey(request.ip) }
    await actions.answerSuspension(context, { name: body.email, password: body.password, from }, body.text)
    return null
  }),

  route(contract.listReports, ({ query, user }, { db }: WebContext) =>
    queries.listReports(db, user.id, query),
  ),

  route(
    contract.decideReport,
    { clears: ['videos', 'comments', 'clips'] },
    async ({ params, body, user }, context: WebContext) => {
      await actions.decide(context, user, params.reportId, body)
      return queries.getReport(context.db, params.reportId, user.id)
    },
  ),
]
