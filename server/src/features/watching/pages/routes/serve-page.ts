import { type PublicSettings, settingsMeta, defaultSettings } from '@kinora/contract/settings.ts'
import type { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import type { Site } from '@kinora/contract/operations/site.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../../context/config.ts'
import type { WebContext } from '../../../../context/context.ts'
import { toAppError } from '@kinora/platform/http/failures/to-app-error.ts'
import { chooseEncoding, matchesEtag } from '@kinora/platform/http/delivery/content-negotiation.ts'
import { originOf } from '@kinora/platform/http/security/origin.ts'
import { type StaticFile, StaticSite } from '@kinora/platform/http/delivery/static-site.ts'
import { TextResponse } from '@kinora/platform/http/delivery/text-response.ts'
import { readSessionToken } from '@kinora/platform/http/security/session-cookie.ts'
import { type CacheTag, TaggedCache } from '@kinora/platform/tagged-cache.ts'
import { isRefusedFrame, limitFrames } from '../../../videos/embeds/actions.ts'
import { isPlaylistShown } from '../../playlists/queries/playlists.ts'
import { findViewerId } from '../../../accounts/sessions/actions.ts'
import { findChannelSummary, findUpcoming, listVideoSummaries } from '../queries.ts'
import { audienceOf } from '../../../visibility/queries.ts'
import { findPlayer, type ShownPlayer } from './find-player.ts'
import { chunksOf, Manifest, skeletonNameOf } from '../rules/chunks.ts'
import {
  channelHead,
  channelPictures,
  type FirstPicture,
  homeHead,
  leadPictures,
  notFoundHead,
  pictureTag,
  plainHead,
  refusedHead,
  playlistHead,
  messagesTag,
  scriptTags,
  styleTags,
} from '../rules/head.ts'
import { clipHead, posterPictures, premiereHead, videoHead } from '../rules/video-head.ts'
import { accentTags, manifestNamed, named, withIcons } from '../rules/site.ts'
import { tag, withHead, withLanguage, withSkeleton } from '../rules/html.ts'
import { type Page, pageOf } from '../rules/page.ts'

function publicSettings(config: Config, site: Site): PublicSettings {
  const signInProviders = config.oidcProviders.map(({ id, name }) => ({ id, name }))
  const confirmEmails = site.confirmEmails && config.hasMail
  const values = { ...config, ...site, confirmEmails, signInProviders, hasRules: site.siteRules !== '' }
  const names = Object.keys(defaultSettings) as (keyof PublicSettings)[]
  return Object.fromEntries(names.map((name) => [name, values[name]])) as unknown as PublicSettings
}

/** Memory for documents. */
const documentsMaxBytes = 16 * 1024 ** 2

interface PageDocument extends Pick<PageHead, 'embeds'> {
  status: number
  response: TextResponse
}

interface PageHead {
  status: number
  head: string
  /** Candidates for the largest contentful paint. */
  pictures?: FirstPicture[]
  /** The title of a video. */
  title?: string
  /** The video is portrait. */
  isUpright?: boolean
  /** Sites that may embed the video; null for everywhere. */
  embeds?: EmbedPolicy | null
}

/**
 * Serves every path outside of API and media: files of the built site, and otherwise its single page with a head for
 * that path. The response is the same for everyone, except for the page of a video with restricted visibility.
 */
export function createServePage(
  context: Pick<WebContext, 'config' | 'reads' | 'db' | 'cacheTags' | 'clock' | 'siteSettings'>,
) {
  const { config, reads, siteSettings, cacheTags } = context
  const built = new StaticSite(config.webDistDir)
  /** Parts of a document besides rows. Other files or settings begin a new cache. */
  let parts: { files?: ReadonlyMap<string, StaticFile>; site?: Site } = {}
  let documents = createDocuments()

  function createDocuments() {
    return new TaggedCache<PageDocument>(cacheTags, {
      maxSize: documentsMaxBytes,
      sizeOf: ({ response }, key) => response.size + key.length,
    })
  }

  function documentsOf(files: ReadonlyMap<string, StaticFile>) {
    const site = siteSettings.current
    if (parts.files !== files || parts.site !== site) {
      parts = { files, site }
      documents = createDocuments()
    }
    return documents
  }

  /** Settings that forms validate. */
  const settingsTag = () =>
    tag('meta', {
      name: settingsMeta,
      content: JSON.stringify(publicSettings(config, siteSettings.current)),
    })

  /** A video with restricted visibility, if the signed-in viewer may see it. */
  async function findPlayerOfViewer(request: FastifyRequest, page: Page): Promise<ShownPlayer | undefined> {
    if (!playerKinds.has(page.kind)) return undefined
    const viewerId = await findViewerId(context, readSessionToken(request))
    return viewerId === undefined ? undefined : findPlayer(context.db, page, viewerId)
  }

  async function pageHead(origin: string, page: Page, restricted?: ShownPlayer): Promise<PageHead> {
    const { siteName, siteLogo, siteLanguage, sensitiveVideos } = siteSettings.current
    const audience = audienceOf(null, siteSettings.current)
    const site = {
      origin,
      name: siteName,
      logo: siteLogo,
      language: siteLanguage,
      showsSensitive: sensitiveVideos === 'show',
    }
    if (playerKinds.has(page.kind)) {
      const shown = restricted ?? (await reads.run((db) => findPlayer(db, page)))
      if (shown) {
        const { video, clip } = shown
        const isEmbed = isEmbedded(page)
        return {
          status: 200,
          head: clip
            ? clipHead(site, clip, video, isEmbed ? 'clip-embed' : 'clip')
            : videoHead(site, video, isEmbed ? 'embed' : 'video'),
          title: clip?.title ?? video.title,
          pictures: posterPictures(video),
          isUpright: video.height > video.width,
          embeds: video.embeds,
        }
      }
      const premiere = page.kind === 'video' && (await reads.run((db) => findUpcoming(db, page.videoId)))
      if (premiere)
        return {
          status: 200,
          head: premiereHead(site, premiere),
          title: premiere.title,
          pictures: posterPictures(premiere),
          isUpright: premiere.height > premiere.width,
        }
    } else if (page.kind === 'channel') {
      const channel = await reads.run((db) => findChannelSummary(db, page.username, audience))
      if (channel) {
        // Only the tab of videos begins with one.
        const pictures = page.isCanonical ? channelPictures(channel) : []
        return { status: 200, head: channelHead(site, channel, pictures), pictures }
      }
    } else if (page.kind === 'home') {
      const [newest] = await reads.run((db) => listVideoSummaries(db, 1, audience))
      return { status: 200, head: homeHead(site, newest), pictures: leadPictures(newest) }
    } else if (page.kind === 'playlist') {
      const isOpen = await reads.run((db) => isPlaylistShown(db, page.playlistId, null))
      return { status: 200, head: playlistHead(site, page.playlistId, isOpen) }
    } else if (page.kind !== 'unknown') {
      return { status: 200, head: plainHead(site, page) }
    }
    return { status: 404, head: notFoundHead(site) }
  }

  function buildDocument(
    files: ReadonlyMap<string, StaticFile>,
    template: StaticFile,
    page: Page,
    { status, head, pictures = [], title, isUpright = false, embeds = null }: PageHead,
  ): PageDocument {
    // The error screen reports a missing page, inside the frame.
    const shown: Page = status === 200 ? page : { kind: 'unknown' }
    const chunks = chunksOf(manifestOf(files), shown)
    const skeleton = files.get(`.skeletons/${skeletonNameOf(shown)}.html`)
    const html = withSkeleton(
      withHead(
        withLanguage(
          withIcons(template.bodies.identity.toString(), siteSettings.current),
          siteSettings.current,
        ),
        [head, settingsTag(), messagesTag(manifestOf(files), shown), ...scriptTags(chunks)].join('\n    '),
      ),
      [...styleTags(chunks), ...accentTags(siteSettings.current)],
      named(skeleton?.bodies.identity.toString() ?? '', siteSettings.current),
      { picture: pictureTag(pictures), title },
      isUpright,
    )
    return { status, response: new TextResponse(html, 'text/html; charset=utf-8'), embeds }
  }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    files: ReadonlyMap<string, StaticFile>,
    template: StaticFile,
    pathname: string,
  ) {
    const page = pageOf(pathname)
    const origin = originOf(request, config.publicUrl)
    const build = async (player?: ShownPlayer) =>
      buildDocument(files, template, page, await pageHead(origin, page, player))
    const open = await documentsOf(files).get(`${origin} ${pathname}`, shownBy(page), () => build())
    const restricted = open.status === 200 ? undefined : await findPlayerOfViewer(request, page)
    const { status, response, embeds } = restricted ? await build(restricted) : open
    if (isEmbedded(page) && embeds) {
      if (isRefusedFrame(request, embeds)) return sendRefusal(request, reply, files, template, page)
      limitFrames(reply, embeds)
    }
    const isForAll = !restricted && !(isEmbedded(page) && embeds)
    const lifetime = isForAll ? 'public, max-age=0, must-revalidate' : 'private, no-store'
    return response.send(request, reply.code(status).header('cache-control', lifetime))
  }

  /** The embedded player without its video, for a page that may not show it: a link, which opens the video here. */
  async function sendRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    files: ReadonlyMap<string, StaticFile>,
    template: StaticFile,
    page: Page,
  ) {
    const { siteName: name, siteLogo: logo, siteLanguage: language } = siteSettings.current
    const origin = originOf(request, config.publicUrl)
    const { response } = await documentsOf(files).get(`${origin} refused`, [], async () => {
      const head = refusedHead({ origin, name, logo, language })
      return buildDocument(files, template, page, { status: 200, head })
    })
    return response.send(request, reply.header('cache-control', 'private, no-store'))
  }

  return async function servePage(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const pathname = request.url.split('?', 1)[0] ?? '/'
    const files = await built.files()
    const template = files?.get('index.html')
    if (!files || !template) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send('The site is not built yet: `npm start` builds it.\n')
    }
    const name = pathname.slice(1)
    const file = isPublic(name) ? files.get(name) : undefined
    const site = siteSettings.current
    const isNamed = site.siteName !== defaultSettings.siteName || site.siteLogo !== null
    if (file && name === 'manifest.webmanifest' && isNamed)
      return reply
        .type(file.contentType)
        .header('cache-control', 'public, max-age=3600')
        .send(manifestNamed(file.bodies.identity.toString(), site))
    if (file) return sendFile(request, reply, file, lifetimeOf(name, file))
    // An older page that requests a removed script must not receive HTML.
    if (name.startsWith('assets/')) {
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send('Not found\n')
    }
    try {
      return await sendPage(request, reply, files, template, pathname)
    } catch (error) {
      const { code, retryAfterSeconds = 10 } = toAppError(error, request)
      const notice = files.get('unavailable.html')
      if (code !== 'unavailable' || !notice) throw error
      request.log.warn({ err: error }, 'page unavailable')
      return reply
        .code(503)
        .type(notice.contentType)
        .header('cache-control', 'no-store')
        .header('retry-after', Math.ceil(retryAfterSeconds))
        .send(notice.bodies.identity)
    }
  }
}

/** Pages that play a video or a clip. */
const playerKinds: ReadonlySet<Page['kind']> = new Set(['video', 'embed', 'clip', 'clip-embed'])

const isEmbedded = ({ kind }: Page) => kind === 'embed' || kind === 'clip-embed'

/** The tags of what the head of a page shows. Playlists have none: `TaggedCache` keeps them for a second. */
function shownBy({ kind }: Page): CacheTag[] {
  if (kind === 'video' || kind === 'embed') return ['videos', 'counts', 'channels']
  if (kind === 'clip' || kind === 'clip-embed') return ['videos', 'channels', 'clips']
  return kind === 'home' || kind === 'channel' ? ['videos', 'channels'] : []
}

/** Pages are served with a head of their own; files that begin with a dot are internal to the build. */
const isPublic = (name: string) => !name.endsWith('.html') && !name.startsWith('.')

const manifests = new WeakMap<ReadonlyMap<string, StaticFile>, Manifest>()

function manifestOf(files: ReadonlyMap<string, StaticFile>): Manifest {
  const known = manifests.get(files)
  if (known) return known
  const text = files.get('.vite/manifest.json')?.bodies.identity.toString()
  const manifest = text ? Manifest.parse(JSON.parse(text)) : {}
  manifests.set(files, manifest)
  return manifest
}

/** A service worker stays until browsers find a new one. */
function lifetimeOf(name: string, { isImmutable }: StaticFile): string {
  if (name === 'service-worker.js') return 'public, no-cache'
  return isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  lifetime: string,
): FastifyReply {
  reply
    .type(file.contentType)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', lifetime)
    .header('vary', 'accept-encoding')
    .header('etag', file.etag)
  if (matchesEtag(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  const encoding = chooseEncoding(request.headers['accept-encoding'], file.bodies)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(file.bodies[encoding])
}
