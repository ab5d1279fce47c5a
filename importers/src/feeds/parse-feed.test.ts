import { expect, test } from 'vitest'
import { parseFeed } from './parse-feed.ts'

const address = 'https://example.org/feeds/all.xml'

test('reads the enclosures of Atom, and addresses relative to the feed', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Seas</title><id>seas</id>
    <entry><title>Tide</title><id>urn:tide</id><updated>2025-01-02T03:04:05Z</updated>
      <summary type="html">&lt;p&gt;Low &amp;amp; high&lt;/p&gt;</summary><category term="Water"/>
      <link rel="alternate" href="tide.html"/><link rel="enclosure" type="video/webm" href="tide.webm"/></entry>
    <entry><title>Text</title><id>urn:text</id><updated>2025-01-02T03:04:05Z</updated></entry></feed>`
  expect(parseFeed(atom, address)).toEqual({
    title: 'Seas',
    entries: [
      {
        id: 'urn:tide',
        url: 'https://example.org/feeds/tide.webm',
        title: 'Tide',
        description: 'Low & high',
        tags: ['water'],
        publishedAt: '2025-01-02T03:04:05.000Z',
      },
    ],
  })
})

test('chooses the tallest video of Media RSS where the enclosure is none', () => {
  const rss = `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title><item>
    <title>Reef</title><enclosure url="https://example.org/a.torrent" type="application/x-bittorrent" length="1"/>
    <media:group><media:content url="https://example.org/480.mp4" type="video/mp4" height="480"/>
    <media:content url="https://example.org/1080.mp4" type="video/mp4" height="1080"/></media:group>
    <media:keywords>coral, sea</media:keywords></item></channel></rss>`
  expect(parseFeed(rss, address)?.entries).toMatchObject([
    { id: 'https://example.org/1080.mp4', url: 'https://example.org/1080.mp4', tags: ['coral', 'sea'] },
  ])
})

test.each(['Mon, 01 Jan 12025 00:00:00 GMT', '-000044-03-15T12:00:00Z', 'yesterday'])(
  'ignores the date %s',
  (date) => {
    const rss = `<rss version="2.0"><channel><title>T</title><item><title>A</title><pubDate>${date}</pubDate>
      <enclosure type="video/mp4" url="https://example.org/a.mp4"/></item></channel></rss>`
    expect(parseFeed(rss, address)?.entries).toMatchObject([{ title: 'A', publishedAt: null }])
  },
)

test('reads all entries, the newest first, also of a feed that lists the oldest first', () => {
  const items = Array.from({ length: 600 }, (_, day) => {
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toUTCString()
    return `<item><title>${day}</title><pubDate>${date}</pubDate><enclosure type="video/mp4" url="/${day}.mp4"/></item>`
  })
  const rss = `<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>`
  const titles = parseFeed(rss, address)?.entries.map(({ title }) => title)
  expect(titles).toEqual(items.map((_, day) => `${day}`).toReversed())
})

test.each([
  ['audio', 'type="audio/mpeg" url="https://example.org/a.mp3"'],
  ['another scheme', 'type="video/mp4" url="file:///etc/passwd"'],
  ['an address with a password', 'type="video/mp4" url="https://a:b@example.org/a.mp4"'],
  ['no address', 'type="video/mp4"'],
])('leaves out entries with %s', (_, attributes) => {
  const rss = `<rss version="2.0"><channel><title>T</title><item><title>A</title><enclosure ${attributes}/></item></channel></rss>`
  expect(parseFeed(rss, address)?.entries).toEqual([])
})

test.each(['<!doctype html><p>Page', 'Only words', '', '{"version":"https://jsonfeed.org/version/1.1"}'])(
  'returns undefined for %j',
  (text) => {
    expect(parseFeed(text, address)).toBeUndefined()
  },
)
