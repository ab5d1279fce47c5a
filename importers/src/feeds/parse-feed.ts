import { Tag } from '@kinora/contract/videos/video-metadata.ts'
import { maxTags } from '@kinora/contract/videos/labels.ts'
import { isWebAddress } from '@kinora/contract/messages/webhooks.ts'
import { type Atom, type MediaNs, parseFeed as parse, type Rss } from 'feedsmith'
import { convert } from 'html-to-text'
import { storable } from '@kinora/platform/storable.ts'

/** A video of a feed. */
export interface FeedEntry {
  /** The `guid` or `id`, else the address of the file. */
  id: string
  url: string
  title: string
  description: string
  tags: string[]
  /** As ISO 8601. */
  publishedAt: string | null
}

export interface FeedContents {
  title: string
  /** The newest first. */
  entries: FeedEntry[]
}

const maxAddressCharacters = 2000

/** Reads an RSS or Atom feed. Returns undefined for anything else. Relative addresses are those of `url`. */
export function parseFeed(text: string, url: string): FeedContents | undefined {
  let parsed
  try {
    parsed = parse(text)
  } catch {
    return undefined
  }
  if (parsed.format === 'rss') {
    const { title, items = [] } = parsed.feed
    return { title: plain(title), entries: newestFirst(items.flatMap((item) => readItem(item, url))) }
  }
  if (parsed.format === 'atom') {
    const { title, entries = [] } = parsed.feed
    return {
      title: plain(title?.value),
      entries: newestFirst(entries.flatMap((entry) => readEntry(entry, url))),
    }
  }
  return undefined
}

/** Entries by their dates. Where one has none, they stay in the order of the feed, which is usually this one. */
const newestFirst = (entries: FeedEntry[]): FeedEntry[] =>
  entries.every(({ publishedAt }) => publishedAt !== null)
    ? entries.toSorted((a, b) => Number(new Date(b.publishedAt ?? 0)) - Number(new Date(a.publishedAt ?? 0)))
    : entries

type Item = Rss.Item<string>
type Entry = Atom.Entry<string>

function readItem(item: Item, feedUrl: string): FeedEntry[] {
  const url = firstVideo([...(item.enclosures ?? []), ...mediaOf(item.media)], feedUrl)
  if (url === undefined) return []
  const { guid, title, description, pubDate, categories = [], itunes, media, content, dc } = item
  return [
    {
      id: guid?.value ?? url,
      url,
      title: plain(title ?? media?.title?.value),
      description: plain(description ?? media?.description?.value ?? itunes?.summary ?? content?.encoded),
      tags: tagsOf([...categories.map(({ name }) => name), ...(media?.keywords ?? [])]),
      publishedAt: dateOf(pubDate ?? dc?.dates?.[0]),
    },
  ]
}

function readEntry(entry: Entry, feedUrl: string): FeedEntry[] {
  const links = (entry.links ?? []).filter(({ rel }) => rel === 'enclosure')
  const files = links.map(({ href, type }) => ({ url: href, type }))
  const url = firstVideo([...files, ...mediaOf(entry.media)], feedUrl)
  if (url === undefined) return []
  const { id, title, summary, content, published, updated, categories = [], media } = entry
  return [
    {
      id: id ?? url,
      url,
      title: plain(title?.value),
      description: plain(summary?.value ?? content?.value ?? media?.description?.value),
      tags: tagsOf(categories.map(({ term }) => term)),
      publishedAt: dateOf(published ?? updated),
    },
  ]
}

interface MediaFile {
  url?: string | undefined
  type?: string | undefined
}

/** Files of Media RSS (https://www.rssboard.org/media-rss), the tallest first. */
function mediaOf(media: MediaNs.ItemOrFeed | undefined): MediaFile[] {
  const contents = [
    ...(media?.contents ?? []),
    ...(media?.groups ?? []).flatMap(({ contents: ofGroup = [] }) => ofGroup),
  ]
  return contents.toSorted((a, b) => (b.height ?? 0) - (a.height ?? 0))
}

/** The address of the first file that is a video by its type, or where it has none by its name. */
function firstVideo(files: readonly MediaFile[], feedUrl: string): string | undefined {
  for (const { url, type } of files) {
    if (url === undefined) continue
    const address = URL.parse(storable(url), feedUrl)?.href
    if (address === undefined || address.length > maxAddressCharacters || !isWebAddress(address)) continue
    const isVideo =
      type === undefined
        ? /\.(mp4|m4v|mov|webm|mkv|ogv)$/i.test(new URL(address).pathname)
        : /^video\//i.test(type)
    if (isVideo) return address
  }
  return undefined
}

/** A text without markup. */
function plain(text: string | undefined): string {
  if (text === undefined) return ''
  const hasMarkup = /<\/?[a-z][^>]*>/i.test(text)
  const options = {
    wordwrap: false as const,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
    ],
  }
  return storable(hasMarkup ? convert(text, options) : text).trim()
}

/** Those that a video can have. */
function tagsOf(names: readonly (string | undefined)[]): string[] {
  const tags = names.flatMap((name) => {
    const { success, data } = Tag.safeParse(name)
    return success ? [data] : []
  })
  return [...new Set(tags)].slice(0, maxTags)
}

/** As ISO 8601; null for what is no date, or has a year of other than four digits. */
function dateOf(text: string | undefined): string | null {
  const date = new Date(text ?? '')
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999 ? date.toISOString() : null
}
