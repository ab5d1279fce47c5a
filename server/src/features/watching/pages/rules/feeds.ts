import { embedAttributes, embedSize } from '@kinora/contract/videos/embed.ts'
import { pictureUrl } from '@kinora/contract/pictures.ts'
import { withoutControls } from '@kinora/contract/xml.ts'
import { etagOf } from '@kinora/platform/http/delivery/content-negotiation.ts'
import type { DetailedVideoSummary, VideoSummary } from '../queries.ts'
import type { SiteHead } from './head.ts'
import { hasPicture, isEmbeddable } from './video-head.ts'
import { escapeMarkup, excerpt, tag } from './html.ts'

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>'

const xmlText = (text: string) => escapeMarkup(withoutControls(text))

/** Rules for search engines. */
export function robotsTxt(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /search/\nDisallow: /logout\n\nSitemap: ${origin}/sitemap.xml\n`
}

/** Placeholder for the origin; escaped text cannot contain it. */
const originMark = '<origin/>'

/** A site map, or an index of them, as functions of the site's origin. */
export interface Sitemap {
  etagFor: (origin: string) => string
  bodyFor: (origin: string) => Buffer
}

/** Returns a site map of a template with placeholders. It keeps the bytes for the last origin, which hardly ever changes. */
function sitemapFrom(template: string): Sitemap {
  const hash = etagOf(template)
  let last: { origin: string; body: Buffer } | undefined
  return {
    etagFor: (origin) => etagOf(hash + origin),
    bodyFor: (origin) => {
      if (last?.origin !== origin)
        last = { origin, body: Buffer.from(template.replaceAll(originMark, () => xmlText(origin))) }
      return last.body
    },
  }
}

const sitemapNamespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** Index of so many site maps: one may have 50,000 addresses and 50 MiB. */
export function sitemapIndexOf(count: number): Sitemap {
  const entries = Array.from(
    { length: count },
    (_, at) => `<sitemap><loc>${originMark}/sitemap-${at + 1}.xml</loc></sitemap>`,
  )
  return sitemapFrom(
    `${xmlHead}\n<sitemapindex ${sitemapNamespace}>\n${entries.join('\n')}\n</sitemapindex>\n`,
  )
}

const videoTags = (video: VideoSummary, id: string) => [
  `<video:video>`,
  `<video:thumbnail_loc>${originMark}${xmlText(pictureUrl(video.thumbnail, 1280, 'jpg'))}</video:thumbnail_loc>`,
  `<video:title>${xmlText(excerpt(video.title, 100))}</video:title>`,
  `<video:description>${xmlText(excerpt(video.description, 2000))}</video:description>`,
  `<video:player_loc>${originMark}/embed/${id}</video:player_loc>`,
  ...(video.isLive
    ? []
    : [
        `<video:duration>${Math.min(28_800, Math.max(1, Math.round(video.durationSeconds)))}</video:duration>`,
      ]),
  `<video:publication_date>${video.createdAt.toISOString()}</video:publication_date>`,
  `</video:video>`,
]

/** Site map with Google's video extension. */
export function sitemapOf(
  paths: readonly string[],
  videos: readonly VideoSummary[],
  showsSensitive: boolean,
): Sitemap {
  const pages = paths.map((page) => `<url><loc>${originMark}${page}</loc></url>`)
  /** Google's extension requires a picture. */
  const isDescribed = ({ sensitiveReason }: VideoSummary) => showsSensitive || sensitiveReason === null
  const entries = videos.map((video) => {
    const id = encodeURIComponent(video.id)
    return [
      `<url><loc>${originMark}/video/${id}</loc>`,
      `<lastmod>${video.createdAt.toISOString()}</lastmod>`,
      ...(isDescribed(video) ? videoTags(video, id) : []),
      `</url>`,
    ].join('')
  })
  const namespaces = `${sitemapNamespace} xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"`
  return sitemapFrom(`${xmlHead}\n<urlset ${namespaces}>\n${[...pages, ...entries].join('\n')}\n</urlset>\n`)
}

/** Offers the site's search in the address bar of browsers. */
export function openSearchXml({ origin, name }: SiteHead): string {
  return [
    xmlHead,
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    `  <ShortName>${xmlText(name)}</ShortName>`,
    `  <Description>Search videos on ${xmlText(name)}</Description>`,
    '  <InputEncoding>UTF-8</InputEncoding>',
    `  <Image width="16" height="16" type="image/svg+xml">${xmlText(origin)}/favicon.svg</Image>`,
    `  <Url type="text/html" template="${xmlText(origin)}/search/{searchTerms}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n')
}

/** oEmbed 1.0 response for a video, scaled to the requested size. */
export function oembed(
  site: SiteHead,
  video: DetailedVideoSummary,
  {
    path = `/embed/${encodeURIComponent(video.id)}`,
    title = video.title,
    ...max
  }: {
    width?: number
    height?: number
    /** Of the player, by default that of the whole video. */
    path?: string
    title?: string
  },
) {
  const { origin, name } = site
  const natural = embedSize(video)
  const scale = Math.min(
    1,
    (max.width ?? Infinity) / natural.width,
    (max.height ?? Infinity) / natural.height,
  )
  const width = Math.max(1, Math.round(natural.width * scale))
  const height = Math.max(1, Math.round(natural.height * scale))
  const frame = tag('iframe', embedAttributes({ source: origin + path, title, width, height }))
  const player = isEmbeddable(video)
    ? { type: 'video', width, height, html: `${frame}</iframe>` }
    : { type: 'link' }
  return {
    version: '1.0',
    ...player,
    provider_name: name,
    provider_url: `${origin}/`,
    title,
    // parameters beyond the standard are allowed: oEmbed 1.0, 2.3.4
    ...(video.isStreaming && { is_live: true }),
    ...(video.premiereAt && { premiere_at: video.premiereAt.toISOString() }),
    author_name: video.ownerFullname,
    author_url: `${origin}/c/${encodeURIComponent(video.ownerUsername)}`,
    ...(hasPicture(site, video) && {
      thumbnail_url: origin + pictureUrl(video.thumbnail, 640, 'jpg'),
      thumbnail_width: 640,
      thumbnail_height: 360,
    }),
  }
}
