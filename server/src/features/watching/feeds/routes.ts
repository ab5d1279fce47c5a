import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import { categories } from '@kinora/contract/videos/labels.ts'
import { createFeedAddress, deleteFeedAddress, getFeedAddress } from '@kinora/contract/watching/feeds.ts'
import { searchVideos } from '@kinora/contract/watching/search.ts'
import { UsernameParam } from '@kinora/contract/accounts/users.ts'
import { Category, Tag } from '@kinora/contract/videos/video-metadata.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { etagOf } from '@kinora/platform/http/delivery/content-negotiation.ts'
import { sendWithEtag } from '@kinora/platform/http/delivery/send-with-etag.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { originOf } from '@kinora/platform/http/security/origin.ts'
import { getPlaylist } from '../playlists/actions.ts'
import { listLatestEntries } from '../playlists/queries/entries.ts'
import { search } from '../search/actions.ts'
import { listFeed } from '../subscriptions/queries.ts'
import { getChannelOf } from '../../accounts/users/queries.ts'
import type { BrowseFilter } from '../../videos/videos/queries/metadata.ts'
import { listChannelVideos, listMatchingVideos, listVideos } from '../../videos/videos/queries/list-videos.ts'
import { deleteFeedToken, findFeedOwner, findFeedToken, listFiles, putFeedToken } from './queries.ts'
import { feedFormats, feedOf, type RssChannel, type RssItem } from './rules.ts'
import { searchLimits } from '../search/limits.ts'
import { audienceOf } from '../../visibility/queries.ts'

/** A video, and since when the feed lists it, if not since its publication. */
type FeedVideo = Video & { addedAt?: Date }

const page = { cursor: undefined, limit: 50 }

/** How a feed is written. */
const FormatQuery = z.object({ format: z.enum(feedFormats).default('rss') })

const TokenParam = z.object({ token: z.string().min(1).max(200) })

const PlaylistParam = z.object({ playlistId: z.string().min(1).max(64) })
const SearchQuery = searchVideos.query
  .omit({ cursor: true, limit: true })
  .extend({ text: searchVideos.params.shape.term })

/** The parameters of an address that are given. */
function givenParams(params: Record<string, string | undefined>): URLSearchParams {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) given.set(name, value)
  return given
}
const TagParam = z.object({ tag: Tag })
const CategoryParam = z.object({ category: Category })

/** Throws `not_found` for a tag or category that no video can have. */
function parseParam<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params)
  if (!parsed.success) throw new AppError(watchingErrors.feedNotFound)
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

/** Characters of written feeds that a process keeps. */
const documentsSize = 16 * 1024 ** 2

/** An item without the numbers that a feed does not show. */
const withoutCounts = ({ video, ...item }: RssItem) => ({
  ...item,
  video: { ...video, views: 0, totalLikes: 0, totalSubs: 0 },
})

/**
 * Feeds, as RSS or Atom: of the site, a tag, a category, a search, a channel and a playlist, and of the channels that somebody
 * subscribes to.
 */
export function feedFileRoutes(
  context: Pick<WebContext, 'config' | 'db' | 'limits' | 'reads' | 'siteSettings'>,
): RawRoute<WebContext>[] {
  const { config, db, limits, reads, siteSettings } = context

  /** Feed readers have no session. */
  const audience = () => audienceOf(null, siteSettings.current)

  /** Documents by their validators. */
  const documents = new LRUCache<string, string>({
    maxSize: documentsSize,
    sizeCalculation: ({ length }) => length,
  })

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    about: Omit<RssChannel, 'showsSensitive'>,
    videos: readonly FeedVideo[],
  ): Promise<FastifyReply> {
    const channel = { ...about, showsSensitive: siteSettings.current.sensitiveVideos === 'show' }
    const ids = videos.map(({ _id }) => _id)
    const { format } = parseInput(FormatQuery, request.query, config)
    const files = await reads.run((replica) => listFiles(replica, ids))
    const items = videos.map((video) => ({
      video,
      file: files.get(video._id) ?? { sizeBytes: 0, captions: [], isStreaming: false },
      date: video.addedAt ?? new Date(video.createdAt),
    }))
    const origin = originOf(request, config.publicUrl)
    // The validator is known before the document is written, which takes ten times as long.
    const etag = etagOf(JSON.stringify([origin, channel, items.map(withoutCounts), format]))
    const body = () => {
      const xml = documents.get(etag) ?? feedOf(origin, channel, items, format)
      documents.set(etag, xml)
      return xml
    }
    reply.type(`application/${format}+xml; charset=utf-8`)
    return sendWithEtag(request, reply, { etag, body })
  }

  // A cache must not show the title of a video that has been taken down or made private.
  const publicCaching = 'public, no-cache'

  /** A feed of the newest videos with a tag, or of a category. */
  async function sendBrowsed(
    request: FastifyRequest,
    reply: FastifyReply,
    filter: BrowseFilter,
    { name, pagePath }: { name: string; pagePath: string },
  ): Promise<FastifyReply> {
    const { items } = await reads.run((replica) => listMatchingVideos(replica, filter, page, audience()))
    const { siteName } = siteSettings.current
    const channel = {
      title: `${name} on ${siteName}`,
      description: `New videos on ${siteName}: ${name}`,
      pagePath,
      path: `/feeds${pagePath}`,
    }
    return send(request, reply.header('cache-control', publicCaching), channel, items)
  }

  return [
    rawRoute({ method: 'GET', path: '/feeds/videos', auth: 'none' }, async ({ request, reply }) => {
      const { items } = await reads.run((replica) => listVideos(replica, page, audience()))
      const channel = {
        title: siteSettings.current.siteName,
        description: `New videos on ${siteSettings.current.siteName}`,
        pagePath: '/',
        path: '/feeds/videos',
      }
      return send(request, reply.header('cache-control', publicCaching), channel, items)
    }),

    rawRoute({ method: 'GET', path: '/feeds/tag/:tag', auth: 'none' }, async ({ request, reply }) => {
      const { tag } = parseParam(TagParam, request.params)
      return sendBrowsed(
        request,
        reply,
        { tag },
        { name: `#${tag}`, pagePath: `/tag/${encodeURIComponent(tag)}` },
      )
    }),

    rawRoute(
      { method: 'GET', path: '/feeds/category/:category', auth: 'none' },
      async ({ request, reply }) => {
        const { category } = parseParam(CategoryParam, request.params)
        return sendBrowsed(
          request,
          reply,
          { category },
          { name: categories[category], pagePath: `/category/${category}` },
        )
      },
    ),

    rawRoute(
      { method: 'GET', path: '/feeds/channels/:username', auth: 'none' },
      async ({ request, reply }) => {
        const { username } = parseInput(UsernameParam, request.params, config)
        const { owner, items } = await reads.run(async (replica) => {
          const found = await getChannelOf(replica, username, null)
          return {
            owner: found,
            ...(await listChannelVideos(replica, found._id, page, { id: null }, audience())),
          }
        })
        const name = encodeURIComponent(owner.username)
        const channel = {
          title: owner.fullname,
          description: `Videos of ${owner.fullname} on ${siteSettings.current.siteName}`,
          pagePath: `/c/${name}`,
          path: `/feeds/channels/${name}`,
          image: owner.avatar,
          author: owner.fullname,
        }
        return send(request, reply.header('cache-control', publicCaching), channel, items)
      },
    ),

    rawRoute(
      { method: 'GET', path: '/feeds/playlists/:playlistId', auth: 'none' },
      async ({ request, reply }) => {
        const { playlistId } = parseParam(PlaylistParam, request.params)
        const { playlist, items } = await reads.run(async (replica) => ({
          playlist: await getPlaylist(replica, playlistId, null),
          items: await listLatestEntries(replica, playlistId, page.limit),
        }))
        const { siteName } = siteSettings.current
        const channel = {
          title: playlist.title,
          description: playlist.description || `Playlist of ${playlist.owner.fullname} on ${siteName}`,
          pagePath: `/playlist/${encodeURIComponent(playlistId)}`,
          path: `/feeds/playlists/${encodeURIComponent(playlistId)}`,
          author: playlist.owner.fullname,
        }
        const videos = items.map(({ video, addedAt }) => ({ ...video, addedAt }))
        return send(request, reply.header('cache-control', publicCaching), channel, videos)
      },
    ),

    rawRoute({ method: 'GET', path: '/feeds/search', auth: 'none' }, async ({ request, reply }) => {
      const query = parseInput(SearchQuery, request.query, config)
      const { text } = query
      const filters = { ...query, sort: query.sort ?? ('date' as const) }
      if (text === '') throw new AppError(watchingErrors.feedNotFound)
      const address = addressKey(request.ip)
      limits.of(searchLimits).searches.assertAllowed(address)
      const { items } = await limits
        .of(searchLimits)
        .atOnce.run(address, () => reads.run((replica) => search(replica, text, page, audience(), filters)))
      const { siteName } = siteSettings.current
      const channel = {
        title: `${text} on ${siteName}`,
        description: `Videos about ${text} on ${siteName}`,
        pagePath: `/search/${encodeURIComponent(text)}`,
        path: `/feeds/search?${givenParams(query)}`,
      }
      return send(request, reply.header('cache-control', publicCaching), channel, items)
    }),

    rawRoute(
      { method: 'GET', path: '/feeds/subscriptions/:token', auth: 'none' },
      async ({ request, reply }) => {
        const { token } = parseInput(TokenParam, request.params, config)
        const owner = await findFeedOwner(db, token)
        if (!owner) throw new AppError(watchingErrors.feedNotFound)
        const { items } = await listFeed(db, owner.id, page, audienceOf(owner, siteSettings.current))
        const channel = {
          title: `${siteSettings.current.siteName}: your feed`,
          description: 'New videos of the channels that you subscribe to',
          pagePath: '/feed',
          path: personalPath(token),
        }
        const videos = items.map(({ video }) => video)
        return send(request, reply.header('cache-control', 'private, no-cache'), channel, videos)
      },
    ),
  ]
}
