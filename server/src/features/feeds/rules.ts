import { pictureInWidth } from '@kinora/contract/pictures.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { Feed } from 'feed'
import { withoutControls } from '../pages/rules/feeds.ts'
import { isOpenToAll } from '../videos/rules.ts'

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
  /** Size of the video's file. */
  sizeBytes: number
  /** Since when the feed lists the video. */
  date: Date
}

const mediaTypes: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' }

/**
 * An RSS 2.0 document of videos, newest first, with the tags that podcast players read. Videos that anybody may fetch
 * have their file as an enclosure.
 */
export function rssOf(origin: string, channel: RssChannel, items: readonly RssItem[]): string {
  const [newest] = items
  const image = channel.image ?? newest?.video.thumbnail
  const feed = new Feed({
    title: withoutControls(channel.title),
    description: withoutControls(channel.description),
    id: origin + channel.path,
    link: origin + channel.pagePath,
    feedLinks: { rss: origin + channel.path },
    generator: 'Kinora',
    docs: 'https://www.rssboard.org/rss-specification',
    podcast: true,
    // The default is the current time, with which no response could be revalidated.
    updated: newest?.date ?? new Date(0),
    ...(image === undefined ? {} : { image: origin + jpegOf(image) }),
    ...(channel.author === undefined ? {} : { author: { name: withoutControls(channel.author) } }),
  })
  feed.addExtension({ name: 'itunes:explicit', objects: { _text: 'false' } })
  if (image !== undefined)
    feed.addExtension({ name: 'itunes:image', objects: { _attributes: { href: origin + jpegOf(image) } } })
  for (const { video, sizeBytes, date } of items) {
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
      ],
      ...enclosureOf(origin, video, sizeBytes),
    })
  }
  return feed.rss2()
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
