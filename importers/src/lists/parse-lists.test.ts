import { expect, test } from 'vitest'
import { parseLists } from './parse-lists.ts'

const sea = 'https://www.youtube.com/channel/UCsea'

test.each([
  ['youtube', `Channel Id,Channel Url,Channel Title\nUCsea,${sea},Sea\n`],
  [
    'newpipe',
    JSON.stringify({ app_version: '0.27', subscriptions: [{ service_id: 0, url: sea, name: 'Sea' }] }),
  ],
  [
    'freetube',
    `{"_id":"allChannels","name":"All","subscriptions":[{"id":"UCsea","name":"Sea","thumbnail":null}]}\n{"_id":"other","name":"Other","subscriptions":[]}\n`,
  ],
  [
    'opml',
    `<opml version="1.1"><body><outline text="All"><outline text="Sea" title="Sea" type="rss" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UCsea"/></outline></body></opml>`,
  ],
])('reads subscriptions of %s', async (format, text) => {
  const read = await parseLists(text)
  expect(read?.format).toBe(format)
  expect(read?.subscriptions.map(({ title, addresses }) => [title, addresses[0]])).toEqual([['Sea', sea]])
})

test('reads playlists of FreeTube, the last state of each', async () => {
  const line = (videos: object[]) =>
    JSON.stringify({ _id: 'p', playlistName: 'Cold', createdAt: 1.7e12, videos })
  const read = await parseLists(`${line([])}\n${line([{ videoId: 'abc', title: 'Ice', timeAdded: 1.7e12 }])}`)
  expect(read?.playlists).toMatchObject([{ playlistName: 'Cold', videos: [{ videoId: 'abc' }] }])
})

test.each([
  '',
  'plain text',
  '{"other": 1}',
  '<html></html>',
  '<!DOCTYPE x [<!ENTITY a "b">]><opml><body/></opml>',
])('recognizes no list in %j', async (text) => expect(await parseLists(text)).toBeUndefined())
