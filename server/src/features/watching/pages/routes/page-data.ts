import { parseTimes, timesQuery } from '@kinora/contract/videos/player-times.ts'
import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { WebContext } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { etagOf } from '@kinora/platform/http/delivery/content-negotiation.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { originOf } from '@kinora/platform/http/security/origin.ts'
import { sendWithEtag } from '@kinora/platform/http/delivery/send-with-etag.ts'
import { TaggedCache } from '@kinora/platform/tagged-cache.ts'
import { listSitemapStarts, listSitemapVideos, type SitemapStart } from '../queries.ts'
import { oembed, openSearchXml, robotsTxt, type Sitemap, sitemapIndexOf, sitemapOf } from '../rules/feeds.ts'
import { audienceOf } from '../../../visibility/queries.ts'
import { findPlayer } from './find-player.ts'
import { accentCss } from '../rules/site.ts'
import { pageOf } from '../rules/page.ts'

/** The site map is by far the largest response. A change of visibility clears it. */
const sitemapCacheMs = 60_000
/** Crawlers read the files of a large site one after another. */
const sitemapsInCache = 4

const AccentQuery = z.object({ accent: z.string().regex(/^[0-9a-f]{6}$/) })

const size = z.coerce.number().int().min(1).max(100_000).optional()
const OembedQuery = z.object({
  url: z
    .string({ error: ({ input }) => (Array.isArray(input) ? 'url is given twice' : 'url is required') })
    .min(1, 'url is required')
    .max(2000),
  format: z.enum(['json'], { error: 'The only supported format is json' }).optional(),
  maxwidth: size,
  maxheight: size,
})

/** Documents for crawlers and other programs. */
export function pageDataRoutes({
  config,
  db,
  reads,
  cacheTags,
  siteSettings,
}: Pick<WebContext, 'config' | 'db' | 'reads' | 'cacheTags' | 'siteSettings'>): RawRoute<WebContext>[] {
  const sitemaps = new TaggedCache<Sitemap>(cacheTags, { maxSize: sitemapsInCache, maxAgeMs: sitemapCacheMs })
  const sitemapStarts = new TaggedCache<SitemapStart[]>(cacheTags, { maxSize: 1, maxAgeMs: sitemapCacheMs })
  const cached = (reply: FastifyReply, seconds: number) =>
    reply.header('cache-control', `public, max-age=${seconds}`)

  const showsSensitive = () => siteSettings.current.sensitiveVideos === 'show'
  const audience = () => audienceOf(null, siteSettings.current)

  // starts are never shown, so no change clears them; the replica gives up after a second
  const findSitemapStarts = () =>
    sitemapStarts.get('all', [], () => listSitemapStarts(db, config.videosPerSitemap, audience()))

  /** The videos of a file, by its number from 1: the first has the oldest ones, so that full files stay as they are. */
  const readSitemap = (page: number, starts: readonly SitemapStart[]) =>
    sitemaps.get(String(page), ['videos'], async () => {
      const range = { from: page === 1 ? undefined : starts[page - 1], before: starts[page] }
      const videos = await reads.run((replica) =>
        listSitemapVideos(replica, range, config.videosPerSitemap, audience()),
      )
      return sitemapOf(page === 1 ? ['/', '/about'] : [], videos.toReversed(), showsSensitive())
    })

  function sendSitemap(request: FastifyRequest, reply: FastifyReply, { etagFor, bodyFor }: Sitemap) {
    const origin = originOf(request, config.publicUrl)
    // no cache may show the title of a video that has been taken down
    reply.header('cache-control', 'public, no-cache').type('application/xml; charset=utf-8')
    return sendWithEtag(request, reply, { etag: etagFor(origin), body: () => bodyFor(origin) })
  }

  return [
    rawRoute({ method: 'GET', path: '/robots.txt', auth: 'none' }, async ({ request, reply }) =>
      cached(reply, 3600)
        .type('text/plain; charset=utf-8')
        .send(robotsTxt(originOf(request, config.publicUrl))),
    ),

    rawRoute({ method: 'GET', path: '/opensearch.xml', auth: 'none' }, async ({ request, reply }) =>
      cached(reply, 3600)
        .type('application/opensearchdescription+xml; charset=utf-8')
        .send(
          openSearchXml({
            origin: originOf(request, config.publicUrl),
            name: siteSettings.current.siteName,
          }),
        ),
    ),

    rawRoute({ method: 'GET', path: '/sitemap.xml', auth: 'none' }, async ({ request, reply }) => {
      const starts = await findSitemapStarts()
      return sendSitemap(
        request,
        reply,
        starts.length > 1 ? sitemapIndexOf(starts.length) : await readSitemap(1, starts),
      )
    }),

    rawRoute(
      { method: 'GET', path: '/sitemap-:page(^[1-9]\\d{0,4}).xml', auth: 'none' },
      async ({ request, reply }) => {
        const page = Number((request.params as { page: string }).page)
        const starts = await findSitemapStarts()
        if (page > 1 && page > starts.length) throw new AppError(watchingErrors.siteMapNotFound)
        return sendSitemap(request, reply, await readSitemap(page, starts))
      },
    ),

    // Of the colour in the address: while a change spreads, another process may have served the page.
    rawRoute({ method: 'GET', path: '/site.css', auth: 'none' }, async ({ request, reply }) => {
      const { success, data } = AccentQuery.safeParse(request.query)
      const siteAccent = success ? `#${data.accent}` : siteSettings.current.siteAccent
      return cached(reply, success ? 3600 : 0)
        .type('text/css; charset=utf-8')
        .send(accentCss({ siteAccent }))
    }),

    rawRoute({ method: 'GET', path: '/oembed', auth: 'none' }, async ({ request, reply }) => {
      const { url, maxwidth, maxheight } = parseInput(OembedQuery, request.query, config)
      const origin = originOf(request, config.publicUrl)
      const address = URL.canParse(url) ? new URL(url) : undefined
      const page = address?.origin === origin ? pageOf(address.pathname) : undefined
      const shown = page && (await reads.run((replica) => findPlayer(replica, page)))
      if (!shown) throw new AppError(watchingErrors.videoPageNotFound)
      const { video, clip } = shown
      const times = timesQuery(parseTimes(address?.searchParams ?? new URLSearchParams()))
      const shape = {
        path: clip
          ? `/embed/clip/${encodeURIComponent(clip.id)}`
          : `/embed/${encodeURIComponent(video.id)}${times}`,
        ...(clip && { title: clip.title }),
        ...(maxwidth === undefined ? {} : { width: maxwidth }),
        ...(maxheight === undefined ? {} : { height: maxheight }),
      }
      const body = JSON.stringify(
        oembed(
          { origin, name: siteSettings.current.siteName, showsSensitive: showsSensitive() },
          video,
          shape,
        ),
      )
      // no cache may show a video that has been taken down
      reply
        .header('cache-control', 'public, no-cache')
        .type('application/json; charset=utf-8')
        // readable from any origin, which is the purpose of oEmbed
        .header('access-control-allow-origin', '*')
      return sendWithEtag(request, reply, { etag: etagOf(body), body: () => body })
    }),
  ]
}
