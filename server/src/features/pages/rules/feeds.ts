import { embedAttributes, embedSize } from '@kinora/contract/embed.ts'
import { pictureUrl } from '@kinora/contract/pictures.ts'
import type { VideoSummary } from '../queries.ts'
import type { SiteHead } from './head.ts'
import { escapeMarkup, excerpt, tag } from './html.ts'

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>'

/** Removes what XML 1.0 forbids even in escaped form: most control characters, and lone surrogates. */
export const withoutControls = (text: string) =>
  text.replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '').toWellFormed()

const xmlText = (text: string) => escapeMarkup(withoutControls(text))

/** Rules for search engines. */
export function robotsTxt(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /search/\nDisallow: /logout\n\nSitemap: ${origin}/sitemap.xml\n`
}

/** Placeholder for the origin; escaped text cannot contain it. */
const originMark = '<origin/>'

/** Site map with Google's video extension. Returns a function of the site's origin. */
export function sitemapXml(videos: readonly VideoSummary[]): (origin: string) => string {
  const pages = ['/', '/about'].map((page) => `<url><loc>${originMark}${page}</loc></url>`)
  const entries = videos.map((video) => {
    const id = encodeURIComponent(video.id)
    return [
      `<url><loc>${originMark}/video/${id}</loc>`,
      `<lastmod>${video.createdAt.toISOString()}</lastmod>`,
      `<video:video>`,
      `<video:thumbnail_loc>${originMark}${xmlText(pictureUrl(video.thumbnail, 1280, 'jpg'))}</video:thumbnail_loc>`,
      `<video:title>${xmlText(excerpt(video.title, 100))}</video:title>`,
      `<video:description>${xmlText(excerpt(video.description, 2000))}</video:description>`,
      `<video:player_loc>${originMark}/embed/${id}</video:player_loc>`,
      `<video:duration>${Math.min(28_800, Math.max(1, Math.round(video.durationSeconds)))}</video:duration>`,
      `<video:publication_date>${video.createdAt.toISOString()}</video:publication_date>`,
      `</video:video></url>`,
    ].join('')
  })
  const namespaces =
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
  const xml = `${xmlHead}\n<urlset ${namespaces}>\n${[...pages, ...entries].join('\n')}\n</urlset>\n`
  return (origin) => xml.replaceAll(originMark, () => xmlText(origin))
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
  { origin, name }: SiteHead,
  video: VideoSummary,
  max: { width?: number; height?: number },
) {
  const natural = embedSize(video)
  const scale = Math.min(
    1,
    (max.width ?? Infinity) / natural.width,
    (max.height ?? Infinity) / natural.height,
  )
  const width = Math.max(1, Math.round(natural.width * scale))
  const height = Math.max(1, Math.round(natural.height * scale))
  const source = `${origin}/embed/${encodeURIComponent(video.id)}`
  const frame = tag('iframe', embedAttributes({ source, title: video.title, width, height }))
  return {
    version: '1.0',
    type: 'video',
    provider_name: name,
    provider_url: `${origin}/`,
    title: video.title,
    author_name: video.ownerFullname,
    author_url: `${origin}/c/${encodeURIComponent(video.ownerUsername)}`,
    thumbnail_url: origin + pictureUrl(video.thumbnail, 640, 'jpg'),
    thumbnail_width: 640,
    thumbnail_height: 360,
    width,
    height,
    html: `${frame}</iframe>`,
  }
}
