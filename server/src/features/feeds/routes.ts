import { categories } from '@kinora/contract/labels.ts'
import { createFeedAddress, deleteFeedAddress, getFeedAddress } from '@kinora/contract/feeds.ts'
import { UsernameParam } from '@kinora/contract/subscriptions.ts'
import { Category, Tag } from '@kinora/contract/video-metadata.ts'
import type { Video } from '@kinora/contract/videos.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { WebContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { etagOf, matchesEtag } from '../../platform/http/delivery/content-negotiation.ts'
import { parseInput } from '../../platform/http/routing/parse-input.ts'
import { route } from '../../platform/http/routing/route.ts'
import { originOf } from '../../platform/http/security/origin.ts'
import { listFeed } from '../subscriptions/queries.ts'
import { getChannelOf } from '../users/queries.ts'
import type { BrowseFilter } from '../videos/queries/metadata.ts'
import { listMatchingVideos, listVideos, listVideosOfOwner } from '../videos/queries/videos.ts'
import { deleteFeedToken, findFeedOwner, findFeedToken, putFeedToken } from './queries.ts'
import { type RssChannel, rssOf } from './rules.ts'

const page = { cursor: undefined, limit: 50 }

const TokenParam = z.object({ token: z.string().min(1).max(200) })

const TagParam = z.object({ tag: Tag })
const CategoryParam = z.object({ category: Category })

/** Throws `not_found` for a tag or category that no video can have. */
function parseParam<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params)
  if (!parsed.success) throw new AppError('not_found', 'There is no feed at this address')
  return parsed.data
}

const personalPath = (token: string) => `/feeds/subscriptions/${token}`

/** The address of the caller's own feed, which only the caller knows. */
export const feedRoutes = [
  route(getFeedAddress, async ({ user }, { db }: WebContext) => {
    const token = await findFeedToken(db, user.id)
    return { path: token === undefined ? null : personalPath(token) }
  }),

  route(createFeedAddress, { clears: [] }, async ({ user }, { db }: WebContext) => {
    const token = randomBytes(24).toString('base64url')
    await putFeedToken(db, user.id, token)
    return { path: personalPath(token) }
  }),

  route(deleteFeedAddress, { clears: [] }, async ({ user }, { db }: WebContext) => {
    await deleteFeedToken(db, user.id)
    return null
  }),
]

/** Serves RSS feeds: of the site, a tag, a category and a channel, and of the channels that somebody subscribes to. */
export function serveFeeds(
  app: FastifyInstance,
  context: Pick<WebContext, 'config' | 'db' | 'reads' | 'siteSettings'>,
): void {
  const { config, db, reads, siteSettings } = context

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    channel: RssChannel,
    videos: readonly Video[],
  ): FastifyReply {
    const xml = rssOf(originOf(request, config.publicUrl), channel, videos)
    const etag = etagOf(xml)
    reply.type('application/rss+xml; charset=utf-8').header('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.send(xml)
  }

  // A cache must not show the title of a video that has been taken down or made private.
  const publicCaching = 'public, no-cache'

  app.get('/feeds/videos', async (request, reply) => {
    const { items } = await reads.run((replica) => listVideos(replica, page))
    const channel = {
      title: siteSettings.current.siteName,
      description: `New videos on ${siteSettings.current.siteName}`,
      pagePath: '/',
      path: '/feeds/videos',
    }
    return send(request, reply.header('cache-control', publicCaching), channel, items)
  })

  /** A feed of the newest videos with a tag, or of a category. */
  async function sendBrowsed(
    request: FastifyRequest,
    reply: FastifyReply,
    filter: BrowseFilter,
    { name, pagePath }: { name: string; pagePath: string },
  ): Promise<FastifyReply> {
    const { items } = await reads.run((replica) => listMatchingVideos(replica, filter, page))
    const { siteName } = siteSettings.current
    const channel = {
      title: `${name} on ${siteName}`,
      description: `New videos on ${siteName}: ${name}`,
      pagePath,
      path: `/feeds${pagePath}`,
    }
    return send(request, reply.header('cache-control', publicCaching), channel, items)
  }

  app.get('/feeds/tag/:tag', async (request, reply) => {
    const { tag } = parseParam(TagParam, request.params)
    return sendBrowsed(
      request,
      reply,
      { tag },
      { name: `#${tag}`, pagePath: `/tag/${encodeURIComponent(tag)}` },
    )
  })

  app.get('/feeds/category/:category', async (request, reply) => {
    const { category } = parseParam(CategoryParam, request.params)
    return sendBrowsed(
      request,
      reply,
      { category },
      { name: categories[category], pagePath: `/category/${category}` },
    )
  })

  app.get('/feeds/channels/:username', async (request, reply) => {
    const { username } = parseInput(UsernameParam, request.params, config)
    const { owner, items } = await reads.run(async (replica) => {
      const found = await getChannelOf(replica, username, null)
      return { owner: found, ...(await listVideosOfOwner(replica, found._id, page, { id: null })) }
    })
    const name = encodeURIComponent(owner.username)
    const channel = {
      title: owner.fullname,
      description: `Videos of ${owner.fullname} on ${siteSettings.current.siteName}`,
      pagePath: `/c/${name}`,
      path: `/feeds/channels/${name}`,
    }
    return send(request, reply.header('cache-control', publicCaching), channel, items)
  })

  app.get('/feeds/subscriptions/:token', async (request, reply) => {
    const { token } = parseInput(TokenParam, request.params, config)
    const userId = await findFeedOwner(db, token)
    if (userId === undefined) throw new AppError('not_found', 'There is no feed at this address')
    const { items } = await listFeed(db, userId, page)
    const channel = {
      title: `${siteSettings.current.siteName}: your feed`,
      description: 'New videos of the channels that you subscribe to',
      pagePath: '/feed',
      path: personalPath(token),
    }
    const videos = items.map(({ video }) => video)
    return send(request, reply.header('cache-control', 'private, no-cache'), channel, videos)
  })
}
