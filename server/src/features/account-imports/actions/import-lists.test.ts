import { expect, test } from 'vitest'
import { readListFile } from './import-lists.ts'
import { TitledFiles } from './import-takeout.ts'

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
  const read = await readListFile(text)
  expect(read?.format).toBe(format)
  expect(read?.subscriptions.map(({ title, addresses }) => [title, addresses[0]])).toEqual([['Sea', sea]])
})

test('reads playlists of FreeTube, the last state of each', async () => {
  const line = (videos: object[]) =>
    JSON.stringify({ _id: 'p', playlistName: 'Cold', createdAt: 1.7e12, videos })
  const read = await readListFile(
    `${line([])}\n${line([{ videoId: 'abc', title: 'Ice', timeAdded: 1.7e12 }])}`,
  )
  expect(read?.playlists).toMatchObject([{ playlistName: 'Cold', videos: [{ videoId: 'abc' }] }])
})

test.each([
  '',
  'plain text',
  '{"other": 1}',
  '<html></html>',
  '<!DOCTYPE x [<!ENTITY a "b">]><opml><body/></opml>',
])('recognizes no list in %j', async (text) => expect(await readListFile(text)).toBeUndefined())

test('finds the file of a title by what file names keep of it', () => {
  const cut = 'v/A title that is longer than its fi'
  const files = new TitledFiles([
    'v/Ice_ part 1_.mp4',
    'v/Snow(1).mp4',
    'v/Snow.mp4',
    `${cut}.mp4`,
    `${cut}(1).mp4`,
    `${cut}le.mp4`,
  ])
  expect(files.take('Ice: part 1?')).toBe('v/Ice_ part 1_.mp4')
  expect([1, 2, 3].map(() => files.take('Snow'))).toEqual(['v/Snow.mp4', 'v/Snow(1).mp4', undefined])
  expect([1, 2, 3, 4].map(() => files.take('A title that is longer than its file name'))).toEqual([
    `${cut}le.mp4`,
    `${cut}.mp4`,
    `${cut}(1).mp4`,
    undefined,
  ])
  expect(files.take('!')).toBeUndefined()
  expect(files.take('Melt')).toBeUndefined()
  expect([...files.left]).toEqual([])
})

test('finds the files of 20,000 equal or long titles in a moment', () => {
  const files = new TitledFiles(Array.from({ length: 20_000 }, (_, index) => `v/Snow(${index}).mp4`))
  const startedAt = performance.now()
  for (let index = 0; index < 20_000; index += 1) files.take(index % 2 ? 'Snow' : 'x'.repeat(300))
  expect(files.left.size).toBe(10_000)
  // comparing each title with each file takes more than a minute
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})
