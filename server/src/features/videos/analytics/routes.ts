import * as contract from '@kinora/contract/videos/analytics.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { addressKey, networkKey } from '@kinora/platform/client-address.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { parseParams } from '@kinora/platform/http/routing/register-routes.ts'
import { rawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { readSessionToken } from '@kinora/platform/http/security/session-cookie.ts'
import { findViewerId } from '../../accounts/sessions/actions.ts'
import { findChannel } from '../collaborators/actions.ts'
import { getVideoOf } from '../studio/queries.ts'
import { addPlayback, getChannelAnalytics, getVideoAnalytics, periodOf, takeReport } from './actions.ts'
import { averageShareOf, toCsv } from './rules.ts'

export const analyticsRoutes = [
  route(
    contract.recordPlayback,
    { clears: [], isAudited: false },
    async ({ params, body, request }, context: WebContext) => {
      const sender = { address: addressKey(request.ip), network: networkKey(request.ip) }
      await addPlayback(context, params.id, body, {
        isCounted: await takeReport(context, params.id, sender),
        findViewer: () => findViewerId(context, readSessionToken(request)),
      })
      return null
    },
  ),

  route(
    contract.getVideoAnalytics,
    async ({ params, query, channel }, { db, clock }: Pick<WebContext, 'db' | 'clock'>) => {
      const { title, duration } = await getVideoOf(db, channel.id, params.id)
      const period = periodOf(query.period, clock.now())
      return {
        title,
        durationSeconds: duration,
        ...(await getVideoAnalytics(db, params.id, period)),
      }
    },
  ),

  route(contract.getChannelAnalytics, async ({ query, channel }, context: WebContext) => {
    const period = periodOf(query.period, context.clock.now())
    const { videos, ...analytics } = await getChannelAnalytics(context, channel.id, period)
    return {
      ...analytics,
      videos: videos.map(({ id, shownParts, ...numbers }) => ({
        _id: id,
        ...numbers,
        averageShare: averageShareOf(numbers.playbacks, shownParts),
      })),
    }
  }),
]

/** Sends days as a CSV file. */
const sendCsv = (reply: FastifyReply, days: Parameters<typeof toCsv>[0]) =>
  reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'private, no-store')
    .header('content-disposition', 'attachment; filename="analytics.csv"')
    .send(toCsv(days))

/** Channel and days of a file, by the rules of the endpoint beside it. */
async function parseFileRequest(user: { id: string }, request: FastifyRequest, context: WebContext) {
  const { db, config, clock } = context
  const query = parseInput(contract.getChannelAnalytics.query, request.query, config)
  const { params } = request
  const channel = await findChannel(db, user, contract.getChannelAnalytics, { params, query })
  return { channel, period: periodOf(query.period, clock.now()) }
}

/** The days of analytics as CSV files, beside the endpoints with the same numbers. */
export const analyticsFileRoutes = [
  rawRoute(
    {
      method: 'GET',
      path: `${apiPrefix}${contract.getChannelAnalytics.path}.csv`,
      auth: 'required',
      scope: 'read',
    },
    async ({ user, request, reply }, context: WebContext) => {
      const { channel, period } = await parseFileRequest(user, request, context)
      return sendCsv(reply, await getChannelAnalytics(context, channel.id, period))
    },
  ),

  rawRoute(
    {
      method: 'GET',
      path: `${apiPrefix}${contract.getVideoAnalytics.path}.csv`,
      auth: 'required',
      scope: 'read',
    },
    async ({ user, request, reply }, context: WebContext) => {
      const { id } = parseParams(contract.getVideoAnalytics, request.params) as { id: string }
      const { channel, period } = await parseFileRequest(user, request, context)
      await getVideoOf(context.db, channel.id, id)
      return sendCsv(reply, await getVideoAnalytics(context.db, id, period))
    },
  ),
]
