import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { embedRefusedMeta } from '@kinora/contract/videos/embed.ts'
import type { Language } from '@kinora/contract/languages.ts'
import {
  cardThumbnailSizes,
  leadThumbnailSizes,
  pictureDefaultWidth,
  pictureSrcSet,
  pictureUrl,
} from '@kinora/contract/pictures.ts'
import type { ChannelSummary, VideoSummary } from '../queries.ts'
import { type Chunks, type Manifest, messagesOf } from './chunks.ts'
import { escapeMarkup, excerpt, jsonLd, tag } from './html.ts'
import type { Page } from './page.ts'
import { largeLogo } from './site.ts'

/** The site, as its pages name it. */
export interface SiteHead {
  origin: string
  name: string
  /** URL of its logo; null for that of Kinora. */
  logo?: string | null
  language?: Language
  /** Whether it shows pictures of sensitive videos. */
  showsSensitive?: boolean
}

const descriptions: Record<Language, (name: string) => string> = {
  en: (name) => `Watch, publish and follow videos on ${name}, a video site hosted by its own people.`,
  de: (name) =>
    `Videos ansehen, veröffentlichen und verfolgen auf ${name}, einer Videoseite, die ihre eigenen Leute betreiben.`,
  es: (name) => `Mira, publica y sigue vídeos en ${name}, un sitio de vídeos alojado por su propia gente.`,
  fr: (name) =>
    `Regardez, publiez et suivez des vidéos sur ${name}, un site de vidéos hébergé par ses propres membres.`,
  'pt-BR': (name) =>
    `Assista, publique e acompanhe vídeos em ${name}, um site de vídeos hospedado por sua própria gente.`,
  ja: (name) => `${name} で動画を視聴、公開、フォロー。自分たちで運営する動画サイトです。`,
  'zh-CN': (name) => `在 ${name} 观看、发布和关注视频，一个由自己人托管的视频网站。`,
  ar: (name) => `شاهد الفيديوهات وانشرها وتابعها على ${name}، موقع فيديو يستضيفه أهله.`,
}

/** The description of a page without one of its own. */
export const descriptionOf = ({ name, language = 'en' }: SiteHead) => descriptions[language](name)

/** A page, as its head describes it. */
export interface Description {
  title: string
  description: string
  /** Path of the canonical URL; without it search engines do not index the page. */
  canonicalPath?: string
  /** Whether links to the page have a preview. A video that is not public has none. */
  isUnfurled?: boolean
  type?: string
  image?: { path: string; width: number; alt: string }
  extra?: string[]
  /** API calls that the page makes first, in order. */
  preloads?: string[]
  /** Candidates for the largest contentful paint, as the page will request them. */
  firstPictures?: FirstPicture[]
}

/** A picture, in the attributes of `link` and `source`. */
export interface FirstPicture {
  srcset: string
  sizes?: string
  /** Media query under which it is used. */
  media?: string
}

/** A video whose picture a page shows first, unless its content is sensitive: the browser decides about that. */
export type Pictured = Pick<VideoSummary, 'thumbnail' | 'sensitiveReason'>

/** The first picture of the home page. */
export function leadPictures(newest: Pictured | undefined): FirstPicture[] {
  return newest && newest.sensitiveReason === null
    ? thumbnailPictures(newest.thumbnail, leadThumbnailSizes)
    : []
}

/** The first picture of a channel. */
export function channelPictures({ newestThumbnail }: ChannelSummary): FirstPicture[] {
  return newestThumbnail === null ? [] : thumbnailPictures(newestThumbnail, cardThumbnailSizes)
}

function thumbnailPictures(thumbnail: string, sizes: string): FirstPicture[] {
  const srcset = pictureSrcSet(pictureUrl(thumbnail, pictureDefaultWidth.thumbnail), 'thumbnail')
  return srcset ? [{ srcset, sizes }] : []
}

/** The head of an embedded player in a page that may not embed its video. */
export const refusedHead = (site: SiteHead): string =>
  head(site, {
    title: site.name,
    description: descriptionOf(site),
    extra: [tag('meta', { name: embedRefusedMeta, content: 'true' })],
  })

/** The head of a page without content of its own. */
export function plainHead(site: SiteHead, page: Page): string {
  if (page.kind === 'search') {
    return head(site, {
      title: `${page.term} · Search · ${site.name}`,
      description: `Videos about ${excerpt(page.term, 100)} on ${site.name}.`,
      preloads: [`${apiPrefix}/video/search/${encodeURIComponent(page.term)}`],
      extra: [rssLink(site, `/feeds/search?${new URLSearchParams({ text: page.term })}`, page.term)],
    })
  }
  if (page.kind !== 'plain') return notFoundHead(site)
  return head(site, {
    title: `${page.title} · ${site.name}`,
    description: descriptionOf(site),
    ...(page.isIndexed ? { canonicalPath: `/${page.name}` } : {}),
    ...(page.feedPath === undefined ? {} : { extra: [rssLink(site, page.feedPath, page.title)] }),
  })
}

/** The head of a playlist; `isOpen`: visitors may see it. */
export function playlistHead(site: SiteHead, playlistId: string, isOpen: boolean): string {
  const feedPath = `/feeds/playlists/${encodeURIComponent(playlistId)}`
  return head(site, {
    title: `Playlist · ${site.name}`,
    description: descriptionOf(site),
    ...(isOpen ? { extra: [rssLink(site, feedPath, 'Playlist')] } : {}),
  })
}

/** The head of an unknown address. */
export function notFoundHead(site: SiteHead): string {
  return head(site, { title: `Page not available · ${site.name}`, description: descriptionOf(site) })
}

/** The head of the home page, which preloads the newest video's thumbnail. */
export function homeHead(site: SiteHead, newest: Pictured | undefined): string {
  const search = `${site.origin}/search/{search_term_string}`
  return head(site, {
    title: site.name,
    description: descriptionOf(site),
    canonicalPath: '/',
    image: site.logo
      ? { path: largeLogo(site.logo), width: 320, alt: site.name }
      : { path: '/icon-512.png', width: 512, alt: site.name },
    preloads: [`${apiPrefix}/video/all`],
    firstPictures: leadPictures(newest),
    extra: [
      rssLink(site, '/feeds/videos', site.name),
      jsonLd({
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: site.name,
        url: `${site.origin}/`,
        potentialAction: {
          '@type': 'SearchAction',
          target: { '@type': 'EntryPoint', urlTemplate: search },
          'query-input': 'required name=search_term_string',
        },
      }),
    ],
  })
}

/** Lets feed readers find the RSS feed of a page. */
function rssLink(site: SiteHead, path: string, title: string): string {
  return tag('link', { rel: 'alternate', type: 'application/rss+xml', href: site.origin + path, title })
}

/** The head of a channel's page, for every tab. */
export function channelHead(site: SiteHead, channel: ChannelSummary, firstPictures: FirstPicture[]): string {
  const cover = channel.coverImage
    ? { path: pictureUrl(channel.coverImage, 1280, 'jpg'), width: 1280 }
    : { path: pictureUrl(channel.avatar, 320, 'jpg'), width: 320 }
  const address = `/c/${encodeURIComponent(channel.username)}`
  return head(site, {
    title: `${channel.fullname} (@${channel.username}) · ${site.name}`,
    description: `Videos by ${channel.fullname} on ${site.name}.`,
    canonicalPath: address,
    type: 'profile',
    image: { ...cover, alt: channel.fullname },
    firstPictures,
    extra: [
      tag('meta', { property: 'profile:username', content: channel.username }),
      rssLink(site, `/feeds/channels/${encodeURIComponent(channel.username)}`, channel.fullname),
      jsonLd({
        '@context': 'https://schema.org',
        '@type': 'ProfilePage',
        mainEntity: {
          '@type': 'Person',
          name: channel.fullname,
          alternateName: channel.username,
          url: site.origin + address,
          image: site.origin + pictureUrl(channel.avatar, 320, 'jpg'),
        },
      }),
    ],
  })
}

/** The tags of a page's head. */
export function head(site: SiteHead, page: Description): string {
  const canonical = page.canonicalPath === undefined ? undefined : site.origin + page.canonicalPath
  const image = page.image ? site.origin + page.image.path : undefined
  const tags = [
    `<title>${escapeMarkup(page.title)}</title>`,
    ...[`${apiPrefix}/users/currentuser`, ...(page.preloads ?? [])].map(preload),
    ...(page.firstPictures ?? []).map(({ srcset, sizes, media }) =>
      tag('link', {
        rel: 'preload',
        as: 'image',
        fetchpriority: 'high',
        media,
        imagesrcset: srcset,
        imagesizes: sizes,
      }),
    ),
    tag('meta', { name: 'description', content: page.description }),
    ...(canonical
      ? [
          tag('link', { rel: 'canonical', href: canonical }),
          tag('meta', { property: 'og:url', content: canonical }),
        ]
      : [tag('meta', { name: 'robots', content: 'noindex' })]),
    ...(page.isUnfurled === false ? [] : unfurledTags(site, page, image)),
    tag('link', {
      rel: 'search',
      type: 'application/opensearchdescription+xml',
      href: '/opensearch.xml',
      title: site.name,
    }),
    ...(page.extra ?? []),
  ]
  return tags.join('\n    ')
}

/** Languages as Open Graph names them; its default is en_US. */
const ogLocales: Record<Language, string> = {
  en: 'en_US',
  de: 'de_DE',
  es: 'es_ES',
  fr: 'fr_FR',
  'pt-BR': 'pt_BR',
  ja: 'ja_JP',
  'zh-CN': 'zh_CN',
  ar: 'ar_AR',
}

/** Open Graph and Twitter tags of a link preview. */
function unfurledTags(site: SiteHead, page: Description, image: string | undefined): string[] {
  return [
    tag('meta', { property: 'og:site_name', content: site.name }),
    ...(site.language && site.language !== 'en'
      ? [tag('meta', { property: 'og:locale', content: ogLocales[site.language] })]
      : []),
    tag('meta', { property: 'og:type', content: page.type ?? 'website' }),
    tag('meta', { property: 'og:title', content: page.title.replace(` · ${site.name}`, '') }),
    tag('meta', { property: 'og:description', content: page.description }),
    tag('meta', {
      name: 'twitter:card',
      content: (page.image?.width ?? 0) >= 1000 ? 'summary_large_image' : 'summary',
    }),
    ...(image && page.image
      ? [
          tag('meta', { property: 'og:image', content: image }),
          tag('meta', { property: 'og:image:width', content: String(page.image.width) }),
          tag('meta', { property: 'og:image:alt', content: page.image.alt }),
        ]
      : []),
  ]
}

/** The first picture, in the skeleton. */
export function pictureTag(pictures: readonly FirstPicture[]): string {
  if (pictures.length === 0) return ''
  const sources = pictures.map(({ srcset, sizes, media }) => tag('source', { media, srcset, sizes }))
  return `<picture>${sources.join('')}${tag('img', { alt: '', fetchpriority: 'high' })}</picture>`
}

/**
 * Preloads the scripts of a page with the attributes of the later request, but after what is painted before they run: styles,
 * fonts, the first picture.
 */
export function scriptTags({ scripts }: Chunks): string[] {
  return scripts.map((href) =>
    tag('link', { rel: 'modulepreload', crossorigin: 'anonymous', href, fetchpriority: 'low' }),
  )
}

/** Where `start.js` finds the messages of each language that the page shows first. */
export function messagesTag(manifest: Manifest, page: Page): string {
  return tag('meta', { name: 'kinora-messages', content: JSON.stringify(messagesOf(manifest, page)) })
}

/** A page's own styles, which its skeleton needs before any script runs. */
export function styleTags({ styles }: Chunks): string[] {
  return styles.map((href) => tag('link', { rel: 'stylesheet', crossorigin: 'anonymous', href }))
}

/** With the mode of `fetch`; any other mode would cause a second request. */
function preload(href: string): string {
  return tag('link', { rel: 'preload', as: 'fetch', crossorigin: 'anonymous', href })
}
