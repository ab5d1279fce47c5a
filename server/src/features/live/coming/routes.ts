import { comingCalendarPath } from '@kinora/contract/constants.ts'
import * as contract from '@kinora/contract/live/coming.ts'
import { sendWithEtag } from '@kinora/platform/http/delivery/send-with-etag.ts'
import { etagOf } from '@kinora/platform/http/delivery/content-negotiation.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { rawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { originOf } from '@kinora/platform/http/security/origin.ts'
import type { WebContext } from '../../../context/context.ts'
import { audienceOf } from '../../visibility/queries.ts'
import { listComing } from './queries.ts'
import { calendarOf } from './rules.ts'

export const comingRoutes = [
  route(contract.listComing, ({ query, user }, { reads, clock, siteSettings }: WebContext) =>
    reads.run((replica) =>
      listComing(replica, {
        viewerId: user?.id ?? null,
        audience: audienceOf(user, siteSettings.current),
        channel: query.channel,
        isSubscribed: query.subscribed === 'true',
        now: clock.now(),
      }),
    ),
  ),
]

/** The list of visitors as a calendar. */
export const comingCalendarRoutes = [
  rawRoute(
    { method: 'GET', path: comingCalendarPath, auth: 'none' },
    async ({ request, reply }, { reads, clock, config, siteSettings }: WebContext) => {
      const { channel } = parseInput(contract.listComing.query, request.query, config)
      const audience = audienceOf(null, siteSettings.current)
      const now = clock.now()
      const coming = await reads.run((replica) =>
        listComing(replica, { viewerId: null, audience, channel, now }),
      )
      const site = { origin: originOf(request, config.publicUrl), name: siteSettings.current.siteName, now }
      reply.type('text/calendar; charset=utf-8').header('cache-control', 'public, no-cache')
      // without the time of the response, which each event states
      const etag = etagOf(JSON.stringify([site.origin, site.name, coming]))
      return sendWithEtag(request, reply, { etag, body: () => calendarOf(site, coming) })
    },
  ),
]
