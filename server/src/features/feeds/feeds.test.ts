import { createFeedAddress, deleteFeedAddress, getFeedAddress } from '@kinora/contract/feeds.ts'
import { toggleSubscription } from '@kinora/contract/subscriptions.ts'
import { changeOwnVideo } from '@kinora/contract/studio.ts'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'
import { addVideo } from '../../testing/fixtures/test-videos.ts'

interface Item {
  title: string
  link: string
  enclosure?: { url: string; type: string }
}

let site: TestApp
let channel: Awaited<ReturnType<typeof signUp>>
let reader: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  ;[channel, reader] = [await signUp(site), await signUp(site)]
  await reader.client.call(toggleSubscription, { params: { username: channel.user.username } })
})
afterAll(() => site.close())

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name) => name === 'item',
})

async function read(path: string): Promise<{ title: string; item: Item[] }> {
  const { status, text, headers } = await site.client().get(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
  expect(XMLValidator.validate(text)).toBe(true)
  const { title, item = [] } = parser.parse(text).rss.channel
  return { title, item }
}

test('feeds of the site and of a channel list public videos with their file', async () => {
  const title = 'Tide & <foam> ]]> \u0001'
  const videoId = await addVideo(site, channel.user._id, { title })
  for (const path of ['/feeds/videos', `/feeds/channels/${channel.user.username.toUpperCase()}`]) {
    const { item } = await read(path)
    expect(item[0]).toMatchObject({
      link: `${site.origin}/video/${videoId}`,
      enclosure: { url: expect.stringMatching(/^http.*\.mp4$/), type: 'video/mp4' },
    })
    expect(item[0]?.title).toContain('Tide & <foam>')
  }
  expect((await site.client().get('/feeds/channels/nobody-here')).status).toBe(404)
})

test('feeds of a tag and of a category list the public videos that have it', async () => {
  const videoId = await addVideo(site, channel.user._id, {
    title: 'Reef',
    tags: ['corals'],
    category: 'music',
  })
  await addVideo(site, channel.user._id, { title: 'Draft', tags: ['corals'], visibility: 'private' })
  for (const [path, name] of [
    ['/feeds/tag/Corals', '#corals'],
    ['/feeds/category/music', 'Music'],
  ] as const) {
    const feed = await read(path)
    expect(feed.title).toBe(`${name} on Kinora`)
    expect(feed.item.map(({ title, link }) => [title, link])).toEqual([
      ['Reef', `${site.origin}/video/${videoId}`],
    ])
  }
  expect((await read('/feeds/tag/nothing-has-this')).item).toEqual([])
  expect((await site.client().get('/feeds/tag/a%3Cb')).status).toBe(404)
  expect((await site.client().get('/feeds/category/nothing')).status).toBe(404)
})

test('returns 304 for an unchanged feed', async () => {
  const { headers } = await site.client().get('/feeds/videos')
  const etag = headers.get('etag') ?? ''
  const again = await site.client().fetch('/feeds/videos', { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

test('the secret address shows the feed of its owner until it is replaced or removed', async () => {
  const videoId = await addVideo(site, channel.user._id, { title: 'For members' })
  await channel.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'members' } })
  expect(await reader.client.call(getFeedAddress, {})).toEqual({ path: null })
  const { path: first } = await reader.client.call(createFeedAddress, {})
  expect(await reader.client.call(getFeedAddress, {})).toEqual({ path: first })
  const { item } = await read(first ?? '')
  expect(item[0]).toMatchObject({ title: 'For members' })
  // Feed readers have no session, so the file of this video would be refused.
  expect(item[0]?.enclosure).toBeUndefined()

  const { path: second } = await reader.client.call(createFeedAddress, {})
  expect((await site.client().get(first ?? '')).status).toBe(404)
  await read(second ?? '')
  await reader.client.call(deleteFeedAddress, {})
  expect((await site.client().get(second ?? '')).status).toBe(404)
  expect(await reader.client.call(getFeedAddress, {})).toEqual({ path: null })
})

test('returns 404 for the secret address of a suspended account', async () => {
  const { path } = await reader.client.call(createFeedAddress, {})
  const setSuspended = (suspendedAt: Date | null) =>
    site.db.updateTable('users').set({ suspendedAt }).where('id', '=', reader.user._id).execute()
  await setSuspended(site.clock.now())
  expect((await site.client().get(path ?? '')).status).toBe(404)
  await setSuspended(null)
  await read(path ?? '')
})
