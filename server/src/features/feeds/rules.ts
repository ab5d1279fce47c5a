import { createHash } from 'node:crypto'
import { pictureInWidth } from '@kinora/contract/pictures.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { Feed } from 'feed'
import { withoutControls } from '../pages/rules/feeds.ts'
import { isOpenToAll } from '../videos/rules.ts'
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
}

export interface RssItem {
  video: Video
  file: FeedFile
  /** Since when the feed lists the video. */
  date: Date
}

const mediaTypes: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' }

export const feedFormats = ['rss', 'atom'] as const
export type FeedFormat = (typeof feedFormats)[number]

/** The path of a feed as Atom; without the parameter it is RSS. */
const atomPathOf = (path: string) => `${path}${path.includes('?') ? '&' : '?'}format=atom`

/** Of the podcast namespace, for the identifiers of feeds: https://podcasting2.org/docs/podcast-namespace/tags/guid */
const podcastGuids = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6'
const podcastNamespace = { 'xmlns:podcast': 'https://podcastindex.org/namespace/1.0' }

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
  const image = channel.image ?? newest?.video.thumbnail
  const feed = new Feed({
    title: withoutControls(channel.title),
    description: withoutControls(channel.description),
    id: origin + channel.path,
    link: origin + channel.pagePath,
    feedLinks: { rss: origin + channel.path, atom: origin + atomPathOf(channel.path) },
    generator: 'Kinora',
    docs: 'https://www.rssboard.org/rss-specification',
    podcast: true,
    // The default is the current time, with which no response could be revalidated.
    updated: newest?.date ?? new Date(0),
    ...(image === undefined ? {} : { image: origin + jpegOf(image) }),
    ...(channel.author === undefined ? {} : { author: { name: withoutControls(channel.author) } }),
  })
  feed.addExtension({ name: 'itunes:explicit', objects: { _text: 'false' } })
  feed.addExtension({ name: 'itunes:category', objects: { _attributes: { text: 'Leisure' } } })
  feed.addExtension({
    name: 'podcast:guid',
    objects: { _attributes: podcastNamespace, _text: podcastGuidOf(origin + channel.path) },
  })
  if (image !== undefined)
    feed.addExtension({ name: 'itunes:image', objects: { _attributes: { href: origin + jpegOf(image) } } })
  for (const { video, file, date } of items) {
    const link = `${origin}/video/${encodeURIComponent(video._id)}`
    feed.addItem({
      title: withoutControls(video.title),
      id: link,
      link,
      date,
      description: withoutControls(video.description),
      author: [{ name: withoutControls(video.videoOwner.fullname) }],
      extensions: [
        { name: 'itunes:duration', objects: { _text: String(Math.round(video.duration)) } },
        { name: 'itunes:image', objects: { _attributes: { href: origin + jpegOf(video.thumbnail) } } },
        ...transcriptsOf(origin, video, file),
      ],
      ...enclosureOf(origin, video, file.sizeBytes),
    })
  }
  return format === 'atom' ? feed.atom1() : feed.rss2()
}

/** Captions of a video whose files need no session. */
function transcriptsOf(origin: string, { visibility }: Video, { captions }: FeedFile) {
  if (captions.length === 0 || !isOpenToAll(visibility ?? 'public')) return []
  const objects = captions.map(({ url, language }) => ({
    _attributes: { ...podcastNamespace, url: origin + url, type: 'text/vtt', ...(language && { language }) },
  }))
  // the library writes a list as several elements, which its type does not have
  return [{ name: 'podcast:transcript', objects: objects as unknown as Record<string, unknown> }]
}

/** Podcast directories take JPEG and PNG only. */
const jpegOf = (thumbnail: string) => pictureInWidth(thumbnail, 1280).replace(/\.webp$/, '.jpg')

/** Feed readers have no session: they get the file only where nobody needs one. */
function enclosureOf(origin: string, { videoFile, visibility }: Video, length: number) {
  const extension = videoFile.split('.').at(-1) ?? ''
  const type = mediaTypes[extension]
  return type && isOpenToAll(visibility ?? 'public')
    ? { video: { url: origin + videoFile, type, length } }
    : {}
}
