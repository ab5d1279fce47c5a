import { createFeedAddress, deleteFeedAddress, getFeedAddress } from '@kinora/contract/watching/feeds.ts'
import { addToPlaylist, createPlaylist, updatePlaylist } from '@kinora/contract/watching/playlists.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { takeDown } from '../../videos/videos/actions/hide-video.ts'
import { podcastGuidOf } from './rules.ts'

let site: TestApp
let channel: Awaited<ReturnType<typeof signUp>>
let reader: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  ;[channel, reader] = [await signUp(site), await signUp(site)]
  await reader.client.call(toggleSubscription, { params: { username: channel.user.username } })
})
afterAll(() => site.close())

async function read(path: string) {
  const { status, text, headers } = await site.client().get(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
  const { items = [], ...rest } = parseRssFeed(text)
  return { ...rest, items }
}

const titlesOf = ({ items }: { items: { title?: string }[] }) => items.map(({ title }) => title)

test('feeds of the site and of a channel list public videos with their file', async () => {
  const title = 'Tide & <foam> ]]> \u0001'
  const videoId = await addVideo(site, channel.user._id, { title })
  for (const path of ['/feeds/videos', `/feeds/channels/${channel.user.username.toUpperCase()}`]) {
    const { items } = await read(path)
    expect(items[0]).toMatchObject({
      link: `${site.origin}/video/${videoId}`,
      enclosures: [{ url: expect.stringMatching(/^http.*\.mp4$/), type: 'video/mp4', length: 1000 }],
      itunes: { duration: 37, image: expect.stringMatching(/^http.*\.jpg$/) },
    })
    expect(items[0]?.title).toContain('Tide & <foam>')
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
    expect(feed.items.map(({ title, link }) => [title, link])).toEqual([
      ['Reef', `${site.origin}/video/${videoId}`],
    ])
  }
  expect((await read('/feeds/tag/nothing-has-this')).items).toEqual([])
  expect((await site.client().get('/feeds/tag/a%3Cb')).status).toBe(404)
  expect((await site.client().get('/feeds/category/nothing')).status).toBe(404)
})

test('the feed of a search lists what the search finds, newest first', async () => {
  for (const [title, days] of [
    ['Glacier', 1],
    ['Glacier from above', 3],
    ['Glacier at dusk', 2],
  ] as const) {
    const createdAt = new Date(site.clock.now().getTime() - days * 86_400_000)
    await addVideo(site, channel.user._id, { title, createdAt })
  }
  await addVideo(site, channel.user._id, { title: 'Secret glacier', visibility: 'members' })
  const feed = await read('/feeds/search?text=glacier')
  expect(titlesOf(feed)).toEqual(['Glacier', 'Glacier at dusk', 'Glacier from above'])
  expect(feed.link).toBe(`${site.origin}/search/glacier`)
  expect(titlesOf(await read('/feeds/search?text=glacier&category=music'))).toEqual([])
  expect((await site.client().get('/feeds/search?text=glacier&sort=nothing')).status).toBe(400)
  expect((await site.client().get('/feeds/search?text=%20')).status).toBe(404)
})

test('the feed of a playlist lists its open videos, the latest addition first', async () => {
  const { client } = channel
  const body = { title: 'Tides', description: 'Of the north', visibility: 'unlisted' } as const
  const { _id: playlistId } = await client.call(createPlaylist, { body })
  for (const visibility of ['public', 'unlisted', 'members', 'private'] as const) {
    const videoId = await addVideo(site, channel.user._id, { title: visibility, visibility })
    await client.call(addToPlaylist, { params: { playlistId, videoId } })
  }
  const path = `/feeds/playlists/${playlistId}`
  const feed = await read(path)
  expect(feed).toMatchObject({ title: 'Tides', description: 'Of the north' })
  expect(titlesOf(feed)).toEqual(['unlisted', 'public'])
  const change = { params: { playlistId }, body: { visibility: 'private' } } as const
  await client.call(updatePlaylist, change)
  expect((await site.client().get(path)).status).toBe(404)
  expect((await client.get(path)).status).toBe(404)
  expect((await site.client().get('/feeds/playlists/watchlater')).status).toBe(404)
})

test('a video that is taken down leaves every feed', async () => {
  const tags = ['moss']
  const videoId = await addVideo(site, channel.user._id, { title: 'Moss', tags, category: 'nature' })
  const body = { title: 'Plants', visibility: 'public' } as const
  const { _id: playlistId } = await channel.client.call(createPlaylist, { body })
  await channel.client.call(addToPlaylist, { params: { playlistId, videoId } })
  const { path: own } = await reader.client.call(createFeedAddress, {})
  const paths = [
    '/feeds/videos',
    `/feeds/channels/${channel.user.username}`,
    '/feeds/tag/moss',
    '/feeds/category/nature',
    '/feeds/search?text=moss',
    `/feeds/playlists/${playlistId}`,
    own ?? '',
  ]
  for (const path of paths) expect([path, titlesOf(await read(path))[0]]).toEqual([path, 'Moss'])
  await takeDown(site.context, videoId, 'A complaint')
  for (const path of paths) expect([path, ...titlesOf(await read(path))]).not.toContain('Moss')
  await reader.client.call(deleteFeedAddress, {})
})

test('feeds have the tags of podcasts, and link captions of public videos', async () => {
  const videoId = await addVideo(site, channel.user._id, { title: 'With captions' })
  await addTestCaptions(site, videoId)
  const { text } = await site.client().get('/feeds/videos')
  const { items = [], itunes, podcast } = parseRssFeed(text)
  expect(itunes?.categories).toMatchObject([{ text: 'Leisure' }])
  expect(podcast?.guid).toBe(podcastGuidOf(`${site.origin}/feeds/videos`))
  const [transcript] = items[0]?.podcast?.transcripts ?? []
  const url = expect.stringMatching(new RegExp(`^${site.origin}/media/videos/${videoId}/captions/.*\\.vtt$`))
  expect(transcript).toMatchObject({ type: 'text/vtt', language: 'en', url })

  await channel.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'members' } })
  const { path } = await reader.client.call(createFeedAddress, {})
  const own = await read(path ?? '')
  expect(own.items[0]).toMatchObject({ title: 'With captions' })
  expect(own.items[0]?.podcast?.transcripts).toBeUndefined()
  await reader.client.call(deleteFeedAddress, {})
})

test('the identifier of a podcast is that of the podcast namespace', () => {
  // the example of https://podcasting2.org/docs/podcast-namespace/tags/guid
  expect(podcastGuidOf('https://podnews.net/rss')).toBe('9b024349-ccf0-5f69-a609-6b82873eab3c')
})

test('every feed is also Atom', async () => {
  const videoId = await addVideo(site, channel.user._id, { title: 'Anemone' })
  for (const path of ['/feeds/videos?format=atom', '/feeds/search?text=anemone&format=atom']) {
    const { text, headers } = await site.client().get(path)
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const feed = parseAtomFeed(text)
    expect(feed.links).toContainEqual(expect.objectContaining({ rel: 'self', href: site.origin + path }))
    expect(feed.entries?.[0]).toMatchObject({
      title: { value: 'Anemone' },
      id: `${site.origin}/video/${videoId}`,
    })
  }
  expect((await site.client().get('/feeds/videos?format=other')).status).toBe(400)
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
  const { items } = await read(first ?? '')
  expect(items[0]).toMatchObject({ title: 'For members' })
  // Feed readers have no session, so the file of this video would be refused.
  expect(items[0]?.enclosures).toBeUndefined()

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
