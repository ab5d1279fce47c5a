import { withoutControls } from '@kinora/contract/xml.ts'

const escaped = (text: string) =>
  withoutControls(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const channelFeed = 'https://www.youtube.com/feeds/videos.xml?channel_id='

/** Channels as an OPML list (https://opml.org/spec2.opml), with the feeds of YouTube channels. */
export function opmlOf(channels: readonly { name: string; address: string | null }[]): string {
  const outlines = channels.map(({ name, address }) => {
    const channelId = /youtube\.com\/channel\/([\w-]+)/.exec(address ?? '')?.[1]
    const feed = channelId === undefined ? (address ?? '') : channelFeed + channelId
    const [text, htmlUrl, xmlUrl] = [name, address ?? '', feed].map(escaped)
    return `    <outline type="rss" text="${text}" title="${text}" htmlUrl="${htmlUrl}" xmlUrl="${xmlUrl}"/>\n`
  })
  return `<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0">\n  <head><title>Channels elsewhere</title></head>\n  <body>\n${outlines.join('')}  </body>\n</opml>\n`
}
