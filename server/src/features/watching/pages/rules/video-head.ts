import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { pictureUrl, posters } from '@kinora/contract/pictures.ts'
import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { listChapters } from '../../../videos/videos/rules.ts'
import type { ClipSummary } from '../../clips/queries/clips.ts'
import type { DetailedVideoSummary, VideoSummary } from '../queries.ts'
import {
  type Description,
  descriptionOf,
  type FirstPicture,
  head,
  type Pictured,
  type SiteHead,
} from './head.ts'
import { excerpt, jsonLd, tag } from './html.ts'

/** Whether a link preview has the picture of a video. */
export const hasPicture = (
  { showsSensitive = false }: SiteHead,
  { sensitiveReason }: Pick<VideoSummary, 'sensitiveReason'>,
) => showsSensitive || sensitiveReason === null

/** The picture of a link preview. */
const pictureOf = (site: SiteHead, video: VideoSummary): Pick<Description, 'image'> =>
  hasPicture(site, video)
    ? { image: { path: pictureUrl(video.thumbnail, 1280, 'jpg'), width: 1280, alt: video.title } }
    : {}

/** The poster of a player, in the sizes of the page's layouts. */
export function posterPictures(video: Pictured): FirstPicture[] {
  if (video.sensitiveReason !== null) return []
  return posters.map(({ media, width }) => ({ media, srcset: pictureUrl(video.thumbnail, width) }))
}

/** The head of a video that is not public: no indexing and no link preview. */
function unlistedVideoHead(site: SiteHead, video: VideoSummary, preloads: string[]): string {
  return head(site, {
    title: `${video.title} · ${site.name}`,
    description: descriptionOf(site),
    isUnfurled: false,
    preloads,
    firstPictures: posterPictures(video),
  })
}

/** The head of the page of a premiere or a stream that has not begun: title and poster alone. */
export function premiereHead(site: SiteHead, video: VideoSummary & { isUnlisted: boolean }): string {
  const preloads = [`${apiPrefix}/premieres/${encodeURIComponent(video.id)}`]
  if (video.isUnlisted) return unlistedVideoHead(site, video, preloads)
  return head(site, {
    title: `${video.title} · ${site.name}`,
    description: descriptionOf(site),
    ...pictureOf(site, video),
    preloads,
    firstPictures: posterPictures(video),
  })
}

/** The head of the watch page and of the embedded player. */
export function videoHead(site: SiteHead, video: DetailedVideoSummary, kind: 'video' | 'embed'): string {
  const address = `/video/${encodeURIComponent(video.id)}`
  const embedUrl = `${site.origin}/embed/${encodeURIComponent(video.id)}`
  const description = excerpt(video.description, 200)
  const preloads = [
    `${apiPrefix}${address}`,
    // The embedded player loads only when pressed.
    ...(kind === 'video' ? [`/media/videos/${encodeURIComponent(video.id)}/master.m3u8`] : []),
  ]
  if (video.visibility !== 'public') return unlistedVideoHead(site, video, preloads)
  return head(site, {
    title: `${video.title} · ${site.name}`,
    description,
    canonicalPath: address,
    type: 'video.other',
    ...pictureOf(site, video),
    preloads,
    firstPictures: posterPictures(video),
    extra: [
      ...(isEmbeddable(video) ? playerTags(embedUrl) : []),
      ...(video.isLive
        ? []
        : [tag('meta', { property: 'video:duration', content: String(Math.round(video.durationSeconds)) })]),
      tag('meta', { property: 'video:release_date', content: video.createdAt.toISOString() }),
      oembedLink(site, address, video.title),
      ...(kind === 'embed' ? [tag('meta', { name: 'robots', content: 'noindex' })] : []),
      videoJsonLd(site, video, embedUrl),
    ],
  })
}

/** The head of the page of a clip and of its embedded player. Its video decides what may be said. */
export function clipHead(
  site: SiteHead,
  { id, title, seconds, maker, isIndexed }: ClipSummary,
  video: DetailedVideoSummary,
  kind: 'clip' | 'clip-embed',
): string {
  const address = `/clip/${encodeURIComponent(id)}`
  const preloads = [`${apiPrefix}/clips/${encodeURIComponent(id)}`]
  if (video.visibility !== 'public') return unlistedVideoHead(site, { ...video, title }, preloads)
  return head(site, {
    title: `${title} · ${site.name}`,
    description: `From “${excerpt(video.title, 100)}” by ${video.ownerFullname}. A clip by ${maker}.`,
    canonicalPath: address,
    type: 'video.other',
    ...pictureOf(site, video),
    preloads,
    firstPictures: posterPictures(video),
    extra: [
      ...(isEmbeddable(video) ? playerTags(`${site.origin}/embed${address}`) : []),
      tag('meta', { property: 'video:duration', content: String(Math.round(seconds)) }),
      oembedLink(site, address, title),
      ...(kind === 'clip-embed' || !isIndexed ? [tag('meta', { name: 'robots', content: 'noindex' })] : []),
    ],
  })
}

const oembedLink = ({ origin }: SiteHead, address: string, title: string) =>
  tag('link', {
    rel: 'alternate',
    type: 'application/json+oembed',
    href: `${origin}/oembed?format=json&url=${encodeURIComponent(origin + address)}`,
    title,
  })

/** Whether every site may embed a video. */
export const isEmbeddable = ({ embeds }: Pick<DetailedVideoSummary, 'embeds'>) =>
  embeds === null || embeds.allowed === 'everywhere'

/** The player, which other sites may show in a link preview. */
const playerTags = (embedUrl: string) => [
  tag('meta', { property: 'og:video:url', content: embedUrl }),
  tag('meta', {
    property: 'og:video:secure_url',
    content: embedUrl.startsWith('https:') ? embedUrl : undefined,
  }),
  tag('meta', { property: 'og:video:type', content: 'text/html' }),
  tag('meta', { property: 'og:video:width', content: '1280' }),
  tag('meta', { property: 'og:video:height', content: '720' }),
]

function videoJsonLd(site: SiteHead, video: DetailedVideoSummary, embedUrl: string): string {
  const url = `${site.origin}/video/${encodeURIComponent(video.id)}`
  const chapters = listChapters(video, video.chapters)
  return jsonLd({
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: video.title,
    description: video.description,
    url,
    ...(hasPicture(site, video) && {
      thumbnailUrl: [1280, 640].map((width) => site.origin + pictureUrl(video.thumbnail, width, 'jpg')),
    }),
    ...(video.sensitiveReason !== null && { isFamilyFriendly: false }),
    uploadDate: video.createdAt.toISOString(),
    // the end of a stream is not known
    ...(!video.isLive && { duration: isoDuration(video.durationSeconds) }),
    ...(isEmbeddable(video) ? { embedUrl } : {}),
    author: {
      '@type': 'Person',
      name: video.ownerFullname,
      url: `${site.origin}/c/${encodeURIComponent(video.ownerUsername)}`,
    },
    ...(video.premiereAt && { publication: broadcastEvent(video.premiereAt, video.durationSeconds) }),
    ...(video.isStreaming && { publication: broadcastEvent(video.createdAt) }),
    interactionStatistic: [
      {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/WatchAction',
        userInteractionCount: video.views,
      },
      {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/LikeAction',
        userInteractionCount: video.likesCount,
      },
    ],
    ...(chapters.length > 0 ? { hasPart: chapters.map((chapter) => clipOf(url, chapter)) } : {}),
  })
}

/** A premiere or a stream as search engines read it: https://developers.google.com/search/docs/appearance/structured-data/video#broadcast-event */
const broadcastEvent = (startsAt: Date, durationSeconds?: number) => ({
  '@type': 'BroadcastEvent',
  isLiveBroadcast: true,
  startDate: startsAt.toISOString(),
  ...(durationSeconds !== undefined && {
    endDate: new Date(startsAt.getTime() + durationSeconds * 1000).toISOString(),
  }),
})

/** A chapter as search engines read it, with whole seconds. */
function clipOf(url: string, { title, startSeconds, endSeconds }: Chapter): object {
  const startOffset = Math.floor(startSeconds)
  return {
    '@type': 'Clip',
    name: title,
    startOffset,
    endOffset: Math.floor(endSeconds),
    url: `${url}?t=${startOffset}`,
  }
}

/** 3661.4 -> PT1H1M1S */
export function isoDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return `PT${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${whole % 60}S`
}
