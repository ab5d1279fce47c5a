import type { Video } from '@kinora/contract/videos/videos.ts'
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { loadI18n } from '../../../context/i18n.ts'
import { layoutMail } from '../../messages/mail/rules/layout-mail.ts'
import type { DetailedVideoSummary } from '../pages/queries.ts'
import { oembed, openSearchXml, sitemapOf } from '../pages/rules/feeds.ts'
import { videoHead } from '../pages/rules/video-head.ts'
import { feedOf } from './rules.ts'

interface Node {
  name: string
  attributes: Record<string, string>
  children: Node[]
  text: string
}

/** The root of an XML document, read by a parser that accepts nothing but XML. */
function parseXml(xml: string): Node {
  const root: Node = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value] as const)
    const node = { name, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)?.children.push(node)
    open.push(node)
  })
  const addText = (text: string) => {
    const node = open.at(-1)
    if (node) node.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => open.pop())
  parser.write(xml).close()
  return root.children[0] ?? root
}

const childrenOf = (node: Node | undefined, name: string) =>
  node?.children.filter((child) => child.name === name) ?? []
const textOf = (node: Node | undefined, name: string) => childrenOf(node, name).map(({ text }) => text)

/** The text that people see of HTML. */
function shownText(html: string): string {
  type Parsed = ReturnType<typeof parseDocument>['children'][number]
  const shownIn = (nodes: Parsed[]): string =>
    nodes
      .map((node) => ('data' in node ? node.data : 'children' in node ? shownIn(node.children) : ''))
      .join('')
  return shownIn(parseDocument(html).children)
}

const markup =
  ']]> ]] > <![CDATA[ </title> </item><item> <b> & &lt; &#0; &amp;amp; <!-- --> <?x?> %x; </script> <script> {0} <origin/> $& $1 \\ \\u003c'
const special =
  '"|\'|\u0000|\u0001|\u001B|\u0085|\u2028|\u202E|\uFFFE|\uFFFF|\uD800|\uDFFF|\u{10FFFF}|\n|\r|\t'

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...markup.split(' '), ...special.split('|'), ' ', '\r\n'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => `a${parts.join('')}z`)

/** The text as XML can have it. */
const inXml = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '')
    .replaceAll(/\r\n?/g, '\n')

const origin = 'https://videos.example'
const date = new Date('2026-01-02T03:04:05Z')

function videoWith(title: string, description: string, fullname: string) {
  return {
    _id: 'video1',
    title,
    description,
    duration: 61.4,
    thumbnail: '/media/pictures/video1-1280.webp',
    videoOwner: { fullname },
    videoFile: '/media/videos/video1/file.mp4',
    visibility: 'public',
  } as Video
}

function summaryWith(title: string, description: string, ownerFullname: string): DetailedVideoSummary {
  return {
    id: 'video1',
    title,
    description,
    thumbnail: '/media/pictures/video1-1280.webp',
    durationSeconds: 61,
    width: 640,
    height: 360,
    views: 1,
    likesCount: 1,
    createdAt: date,
    visibility: 'public',
    premiereAt: null,
    isLive: false,
    isStreaming: false,
    sensitiveReason: null,
    ownerUsername: 'ann',
    ownerFullname,
    chapters: null,
    cut: null,
    descriptionCut: null,
    embeds: null,
  }
}

test('feeds keep every text, and have as many entries as videos', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (title, description, name) => {
      const file = { sizeBytes: 1000, captions: [{ url: '/en.vtt', language: 'en' }], isStreaming: false }
      const items = ['first', title].map((each) => ({
        video: videoWith(each, description, name),
        file,
        date,
      }))
      const channel = {
        title: name,
        description,
        pagePath: '/c/ann',
        path: '/feeds/videos',
        author: name,
        showsSensitive: false,
      }

      const [rss] = childrenOf(parseXml(feedOf(origin, channel, items, 'rss')), 'channel')
      expect(textOf(rss, 'title')).toEqual([inXml(name)])
      expect(textOf(rss, 'description')).toEqual([inXml(description)])
      const rssItems = childrenOf(rss, 'item')
      expect(rssItems.flatMap((item) => textOf(item, 'title'))).toEqual(['first', inXml(title)])
      expect(rssItems.flatMap((item) => textOf(item, 'author'))).toEqual([inXml(name), inXml(name)])
      const [described = ''] = textOf(rssItems[0], 'description')
      expect(shownText(described)).toBe(inXml(description))
      expect(parseDocument(described).children.every((node) => !('name' in node) || node.name === 'br')).toBe(
        true,
      )

      const atom = parseXml(feedOf(origin, channel, items, 'atom'))
      expect(textOf(atom, 'title')).toEqual([inXml(name)])
      const entries = childrenOf(atom, 'entry')
      expect(entries.flatMap((entry) => textOf(entry, 'title'))).toEqual(['first', inXml(title)])
      expect(entries.flatMap((entry) => textOf(entry, 'summary'))).toEqual(Array(2).fill(inXml(description)))
      expect(entries.map((entry) => childrenOf(entry, 'title')[0]?.attributes)).toEqual([{}, {}])
    }),
  )
})

test('feeds mark a stream that runs, without a file that still grows', () => {
  const video = { ...videoWith('Morning show', '', 'Ann'), isLive: true as const, streamUrl: '/live.m3u8' }
  const items = [{ video, file: { sizeBytes: 1000, captions: [], isStreaming: true }, date }]
  const channel = {
    title: 'Ann',
    description: '',
    pagePath: '/c/ann',
    path: '/feeds/videos',
    showsSensitive: false,
  }
  const [rss] = childrenOf(parseXml(feedOf(origin, channel, items, 'rss')), 'channel')
  const [item] = childrenOf(rss, 'item')
  expect(textOf(item, 'category')).toEqual(['Live'])
  expect(['enclosure', 'itunes:duration'].flatMap((name) => childrenOf(item, name))).toEqual([])
  const [liveItem] = childrenOf(rss, 'podcast:liveItem')
  expect(liveItem?.attributes).toEqual({ status: 'live', start: date.toISOString() })
  expect(childrenOf(liveItem, 'enclosure')[0]?.attributes['url']).toBe(`${origin}/live.m3u8`)
  const [entry] = childrenOf(parseXml(feedOf(origin, channel, items, 'atom')), 'entry')
  expect(childrenOf(entry, 'category')[0]?.attributes).toEqual({ term: 'Live' })
})

test('link previews of a stream say that it is live', () => {
  const site = { name: 'Videos', origin }
  const video = { ...summaryWith('Morning show', '', 'Ann'), isLive: true, isStreaming: true }
  const page = videoHead(site, video, 'video')
  expect(page).toContain(
    '"@type":"BroadcastEvent","isLiveBroadcast":true,"startDate":"2026-01-02T03:04:05.000Z"}',
  )
  expect(page).not.toContain('video:duration')
  expect(page).not.toContain('"duration"')
  expect(oembed(site, video, {})).toMatchObject({ is_live: true, type: 'video' })
  // its recording is not complete yet
  const ended = { ...video, isStreaming: false }
  expect(videoHead(site, ended, 'video')).not.toContain('BroadcastEvent')
  expect(oembed(site, ended, {})).not.toHaveProperty('is_live')
})

/** Excerpts have no line breaks. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

test('site maps and the search description keep every text', () => {
  fc.assert(
    fc.property(hostile, hostile, (title, description) => {
      const map = sitemapOf(
        ['/about'],
        [summaryWith('first', '', ''), summaryWith(title, description, '')],
        false,
      )
      const urls = childrenOf(parseXml(map.bodyFor(origin).toString()), 'url')
      expect(urls.flatMap((url) => textOf(url, 'loc'))).toEqual(
        ['/about', '/video/video1', '/video/video1'].map((path) => origin + path),
      )
      const [found] = childrenOf(urls[2], 'video:video')
      expect(textOf(found, 'video:title')).toEqual([inXml(onOneLine(title))])
      expect(textOf(found, 'video:description')).toEqual([inXml(onOneLine(description))])
      const search = parseXml(openSearchXml({ origin, name: title }))
      expect(textOf(search, 'ShortName')).toEqual([inXml(title)])
    }),
  )
})

test('heads of pages, JSON-LD and oEmbed keep every text', () => {
  fc.assert(
    fc.property(hostile, hostile, (title, description) => {
      const site = { origin, name: title }
      const video = summaryWith(title, description, title)
      const html = videoHead(site, video, 'video')
      const nodes = parseDocument(html).children.filter((node) => 'attribs' in node)
      const heads = nodes.filter(({ name }) => name === 'title')
      expect(heads.map(({ children }) => children.length)).toEqual([1])
      const scripts = nodes.filter(({ name }) => name === 'script')
      expect(scripts.map(({ attribs }) => attribs['type'])).toEqual(['application/ld+json'])
      const [json] = scripts.flatMap(({ children }) => children.map((child) => 'data' in child && child.data))
      expect(JSON.parse(String(json))).toMatchObject({ name: title, description, author: { name: title } })

      const embedded = oembed(site, video, {})
      expect(embedded).toMatchObject({ title, author_name: title, provider_name: title })
      const frames = parseDocument('html' in embedded ? embedded.html : '').children
      expect(frames.map((frame) => 'attribs' in frame && frame.attribs['title'])).toEqual([title])
    }),
  )
})

test('mails keep every text', async () => {
  const i18n = await loadI18n('en')
  fc.assert(
    fc.property(hostile, hostile, (paragraph, name) => {
      const links = [{ label: name, url: `${origin}/?${encodeURIComponent(name.toWellFormed())}` }]
      const fields = { i18n, subject: name, greeting: name, paragraphs: [paragraph], links, signature: name }
      const { text, html } = layoutMail(fields)
      expect(text.split('\n\n')).toEqual(
        expect.arrayContaining([paragraph].filter((each) => !/\n\n/.test(each))),
      )
      expect(shownText(html).trim()).toBe([name, paragraph, name, name].join('\n').trim())
    }),
  )
})
