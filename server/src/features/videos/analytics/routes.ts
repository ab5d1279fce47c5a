import * as contract from '@kinora/contract/videos/analytics.ts'
import { apiPrefix, type Endpoint } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { signInFirst } from '@kinora/platform/errors.ts'
import { addressKey, networkKey } from '@kinora/platform/http/limits/client-address.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { type Authenticate, parseParams } from '@kinora/platform/http/routing/register-routes.ts'
import { route, type Viewer } from '@kinora/platform/http/routing/route.ts'
import { readSessionToken } from '@kinora/platform/http/security/session-cookie.ts'
import { findViewerId } from '../../accounts/sessions/actions.ts'
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
    async ({ params, query, user }, { db, clock }: Pick<WebContext, 'db' | 'clock'>) => {
      const { title, duration } = await getVideoOf(db, user.id, params.id)
      const period = periodOf(query.period, clock.now())
      return {
        title,
        durationSeconds: duration,
        ...(await getVideoAnalytics(db, params.id, period)),
      }
    },
  ),

  route(contract.getChannelAnalytics, async ({ query, user }, context: WebContext) => {
    const period = periodOf(query.period, context.clock.now())
    const { videos, ...analytics } = await getChannelAnalytics(context, user.id, period)
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

/** Serves the days of analytics as CSV files, beside the endpoints with the same numbers. */
export function serveAnalyticsFiles(
  app: FastifyInstance,
  context: WebContext,
  authenticate: Authenticate,
): void {
  const { db, clock, config } = context
  function serve(
    endpoint: Endpoint,
    getDays: (
      request: FastifyRequest,
      viewer: Viewer,
      period: ReturnType<typeof periodOf>,
    ) => Promise<Parameters<typeof toCsv>[0]>,
  ): void {
    app.get(`${apiPrefix}${endpoint.path}.csv`, async (request, reply) => {
      const viewer = await authenticate(request, reply, 'read')
      if (!viewer) throw signInFirst()
      const query = parseInput(contract.getChannelAnalytics.query, request.query, config)
      const analytics = await getDays(request, viewer, periodOf(query.period, clock.now()))
      return reply
        .type('text/csv; charset=utf-8')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', 'attachment; filename="analytics.csv"')
        .send(toCsv(analytics))
    })
  }

  serve(contract.getChannelAnalytics, (_request, viewer, period) =>
    getChannelAnalytics(context, viewer.id, period),
  )
  serve(contract.getVideoAnalytics, async (request, viewer, period) => {
    const { id } = parseParams(contract.getVideoAnalytics, request.params) as { id: string }
    await getVideoOf(db, viewer.id, id)
    return getVideoAnalytics(db, id, period)
  })
}
