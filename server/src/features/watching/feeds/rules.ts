import { createHash } from 'node:crypto'
import { pictureInWidth } from '@kinora/contract/pictures.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { withoutControls } from '@kinora/contract/xml.ts'
import { xmlDocument, type XmlElement } from '@kinora/platform/xml.ts'
import { escapeMarkup } from '../pages/rules/html.ts'
import { isOpenToAll } from '../../videos/videos/rules.ts'
import type { FeedFile } from './queries.ts'

export interface RssChannel {
  title: string
  description: string
  /** Path of the page that the feed follows. */
  pagePath: string
  /** Path of the feed. */
  path: string
  /** Path of a picture, which podcast players show; without it they show that of the newest video. */
  image?: string
  /** The person whose videos these are. */
  author?: string
  /** Whether the site shows pictures of sensitive videos. */
  showsSensitive: boolean
}

export interface RssItem {
  video: Video
  file: FeedFile
  /** Since when the feed lists the video. */
  date: Date
}

const generator = 'Kinora'

const mediaTypes: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' }

export const feedFormats = ['rss', 'atom'] as const
export type FeedFormat = (typeof feedFormats)[number]

/** The path of a feed as Atom; without the parameter it is RSS. */
const atomPathOf = (path: string) => `${path}${path.includes('?') ? '&' : '?'}format=atom`

/** Of the podcast namespace, for the identifiers of feeds: https://podcasting2.org/docs/podcast-namespace/tags/guid */
const podcastGuids = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6'

/** A UUID of version 5 (RFC 9562, 5.5) of the address of a feed without its scheme. */
export function podcastGuidOf(address: string): string {
  const name = address.replace(/^https?:\/\//, '').replace(/\/+$/, '')
  const hash = createHash('sha1')
    .update(Buffer.from(podcastGuids.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

/**
 * An RSS 2.0 or Atom document of videos, newest first. RSS has the tags that podcast players read. Videos that anybody may fetch
 * have their file as an enclosure, and their captions as transcripts.
 */
export function feedOf(
  origin: string,
  channel: RssChannel,
  items: readonly RssItem[],
  format: FeedFormat,
): string {
  const [newest] = items
  const pictured = items.find(({ video }) => hasPicture(channel, video))
  const image = channel.image ?? pictured?.video.thumbnail
  const feed = {
    ...channel,
    pageAddress: origin + channel.pagePath,
    address: origin + channel.path,
    image: image === undefined ? undefined : origin + jpegOf(image),
    // The current time would change the validator of each response.
    updated: newest?.date ?? new Date(0),
  }
  return xmlDocument(format === 'atom' ? atomOf(origin, feed, items) : rssOf(origin, feed, items))
}

/** Whether a feed has the picture of a video. */
const hasPicture = ({ showsSensitive }: Pick<RssChannel, 'showsSensitive'>, { sensitive }: Video) =>
  showsSensitive || !sensitive

interface FeedHead {
  title: string
  description: string
  pageAddress: string
  /** Of the RSS feed, which also identifies the Atom feed. */
  address: string
  image: string | undefined
  author?: string
  showsSensitive: boolean
  updated: Date
}

function rssOf(origin: string, feed: FeedHead, items: readonly RssItem[]): XmlElement {
  const { title, pageAddress, address, image, author } = feed
  return {
    rss: {
      '@version': '2.0',
      '@xmlns:atom': 'http://www.w3.org/2005/Atom',
      '@xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
      '@xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
      channel: {
        title,
        link: pageAddress,
        description: feed.description,
        lastBuildDate: feed.updated.toUTCString(),
        docs: 'https://www.rssboard.org/rss-specification',
        generator,
        image: image === undefined ? undefined : { title, url: image, link: pageAddress },
        'atom:link': { '@href': address, '@rel': 'self', '@type': 'application/rss+xml' },
        'itunes:explicit': 'false',
        'itunes:category': { '@text': 'Leisure' },
        'itunes:author': author,
        'itunes:image': image === undefined ? undefined : { '@href': image },
        'podcast:guid': podcastGuidOf(address),
        'podcast:liveItem': items
          .filter(({ file }) => file.isStreaming)
          .map(({ video, date }) => liveItemOf(origin, video, date)),
        item: items.map(({ video, file, date }) => ({
          title: video.title,
          link: linkOf(origin, video),
          guid: { '@isPermaLink': 'false', '#text': linkOf(origin, video) },
          pubDate: date.toUTCString(),
          description: htmlOf(video.description) || undefined,
          author: video.videoOwner.fullname,
          category: categoryOf(video, file),
          enclosure: enclosuresOf(origin, video, file.sizeBytes).map(({ url, type, length }) => ({
            '@url': url,
            '@type': type,
            '@length': length,
          })),
          'itunes:duration': video.isLive ? undefined : Math.round(video.duration),
          'itunes:explicit': video.sensitive ? 'true' : undefined,
          'itunes:image': hasPicture(feed, video) ? { '@href': origin + jpegOf(video.thumbnail) } : undefined,
          'podcast:transcript': transcriptsOf(origin, video, file),
        })),
      },
    },
  }
}

function atomOf(origin: string, feed: FeedHead, items: readonly RssItem[]): XmlElement {
  const { author, address } = feed
  return {
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id: address,
      title: feed.title,
      subtitle: feed.description,
      updated: feed.updated.toISOString(),
      generator,
      author: author === undefined ? undefined : { name: author },
      link: [
        { '@rel': 'alternate', '@href': feed.pageAddress },
        { '@rel': 'self', '@href': atomPathOf(address) },
      ],
      logo: feed.image,
      entry: items.map(({ video, file, date }) => ({
        id: linkOf(origin, video),
        // Without a type, texts of Atom are plain: RFC 4287, 3.1.1.
        title: video.title,
        summary: video.description || undefined,
        updated: date.toISOString(),
        author: { name: video.videoOwner.fullname },
        category: file.isStreaming || video.premiereAt ? { '@term': categoryOf(video, file) } : undefined,
        link: [
          { '@href': linkOf(origin, video) },
          ...enclosuresOf(origin, video, file.sizeBytes).map(({ url, type, length }) => ({
            '@rel': 'enclosure',
            '@href': url,
            '@type': type,
            '@length': length,
          })),
        ],
      })),
    },
  }
}

const linkOf = (origin: string, video: Video) => `${origin}/video/${encodeURIComponent(video._id)}`

/** A mark of what is more than a video. */
const categoryOf = ({ premiereAt }: Video, { isStreaming }: FeedFile): string | undefined =>
  isStreaming ? 'Live' : premiereAt ? 'Premiere' : undefined

/** A running stream for podcast players: https://podcasting2.org/docs/podcast-namespace/tags/liveItem */
const liveItemOf = (origin: string, video: Video, startedAt: Date) => ({
  '@status': 'live',
  '@start': startedAt.toISOString(),
  title: video.title,
  link: linkOf(origin, video),
  guid: { '@isPermaLink': 'false', '#text': `${linkOf(origin, video)}#live` },
  enclosure: isOpenToAll(video.visibility ?? 'public')
    ? [{ '@url': origin + video.streamUrl, '@type': 'application/x-mpegURL', '@length': 0 }]
    : [],
})

/** Feed readers show the description of an RSS item as HTML: https://www.rssboard.org/rss-specification#hrelementsOfLtitemgt */
const htmlOf = (text: string) => escapeMarkup(withoutControls(text)).replaceAll(/\r\n|\r|\n/g, '<br>\n')

/** Captions of a video whose files need no session. */
function transcriptsOf(origin: string, { visibility }: Video, { captions }: FeedFile) {
  if (!isOpenToAll(visibility ?? 'public')) return []
  return captions.map(({ url, language }) => ({
    '@url': origin + url,
    '@type': 'text/vtt',
    '@language': language || undefined,
  }))
}

/** Podcast directories take JPEG and PNG only. */
const jpegOf = (thumbnail: string) => pictureInWidth(thumbnail, 1280).replace(/\.webp$/, '.jpg')

/** Feed readers have no session: they get the file only where nobody needs one. That of a stream still grows. */
function enclosuresOf(origin: string, { videoFile, visibility, isLive }: Video, length: number) {
  if (isLive) return []
  const type = mediaTypes[videoFile.split('.').at(-1) ?? '']
  return type && isOpenToAll(visibility ?? 'public') ? [{ url: origin + videoFile, type, length }] : []
}
