import * as contract from '@kinora/contract/watching/channels.ts'
import { maxChannelLinks } from '@kinora/contract/constants.ts'
import { createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const path = '/api/v1/channels/own'

test('lists the channels with videos that the caller may find, newest first or by subscribers', async () => {
  const [first, second, third, member] = [
    await signUp(site),
    await signUp(site),
    await signUp(site),
    await signUp(site),
  ]
  for (const [day, { user }] of [first, second, third].entries())
    await site.db
      .updateTable('users')
      .set({ createdAt: new Date(Date.UTC(2026, 0, 1 + day)) })
      .where('id', '=', user._id)
      .execute()
  await addVideo(site, first.user._id)
  await addVideo(site, second.user._id)
  await addVideo(site, third.user._id, { visibility: 'members' })
  await addVideo(site, member.user._id, { visibility: 'private' })
  await member.client.post(`/api/v1/sub/channel/${first.user.username}`)
  const list = async (client: typeof member.client, query: object) =>
    (await client.call(contract.listChannels, { query })).items
  const namesOf = (channels: Awaited<ReturnType<typeof list>>) => channels.map(({ username }) => username)
  const names = [third, second, first].map(({ user }) => user.username)
  expect(namesOf(await list(site.client(), {}))).toEqual(names.slice(1))
  expect(namesOf(await list(member.client, {}))).toEqual(names)
  const page = await member.client.call(contract.listChannels, { query: { limit: 2 } })
  expect(namesOf(await list(member.client, { limit: 2, cursor: page.nextCursor ?? '' }))).toEqual([names[2]])
  const popular = await list(member.client, { sort: 'popular' })
  expect(popular[0]).toMatchObject({ username: names[2], subscribersCount: 1, isSubscribed: true })
  expect(popular[1]).toMatchObject({ isSubscribed: false })
  expect(namesOf(popular).toSorted()).toEqual(names.toSorted())
})

test('shows text, links, date of joining and number of visible videos', async () => {
  const [owner, visitor] = [await signUp(site), await signUp(site)]
  const params = { username: owner.user.username.toUpperCase() }
  const profileFor = ({ client }: typeof owner) => client.call(contract.getChannelProfile, { params })
  expect(await profileFor(visitor)).toEqual({
    about: '',
    links: [],
    joinedAt: expect.stringMatching(/Z$/),
    videosCount: 0,
    hasLocked: false,
    hasComing: false,
    pinnedVideo: null,
  })
  await addVideo(site, owner.user._id)
  await addVideo(site, owner.user._id, { visibility: 'private' })
  await owner.client.call(contract.putChannelProfile, {
    body: { about: ' Salt and light ', links: ['http://example.org'] },
  })
  expect(await profileFor(visitor)).toMatchObject({
    about: 'Salt and light',
    links: ['http://example.org/'],
    videosCount: 1,
  })
  expect(await profileFor(owner)).toMatchObject({ videosCount: 2 })
  await owner.client.call(contract.putChannelProfile, { body: { links: [] } })
  expect(await profileFor(visitor)).toMatchObject({ about: '', links: [] })
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.com',
  'example.com',
  'https://',
  'https://a b',
  `https://example.com/${'a'.repeat(600)}`,
])('rejects the link %s', async (link) => {
  const { client } = await signUp(site)
  const { status, body } = await client.send('PUT', path, { links: [link] })
  expect([status, body.errors?.[0]?.path]).toEqual([400, 'links.0'])
})

test('rejects more links than a channel may have', async () => {
  const { client } = await signUp(site)
  const links = Array.from({ length: maxChannelLinks + 1 }, (_, n) => `https://example.com/${n}`)
  expect((await client.send('PUT', path, { links })).status).toBe(400)
})

test('pins an own video, which others see only while they may see the video', async () => {
  const [owner, visitor] = [await signUp(site), await signUp(site)]
  const params = { username: owner.user.username }
  const pinnedFor = async ({ client }: typeof owner) =>
    (await client.call(contract.getChannelProfile, { params })).pinnedVideo?._id
  const pin = (pinnedVideoId: string | null) => owner.client.send('PUT', path, { links: [], pinnedVideoId })
  const foreign = await addVideo(site, visitor.user._id)
  expect((await pin(foreign)).status).toBe(404)
  const shown = await addVideo(site, owner.user._id)
  expect((await pin(shown)).status).toBe(200)
  expect(await pinnedFor(visitor)).toBe(shown)
  const hidden = await addVideo(site, owner.user._id, { visibility: 'private' })
  await pin(hidden)
  expect([await pinnedFor(visitor), await pinnedFor(owner)]).toEqual([undefined, hidden])
  await pin(shown)
  await owner.client.call(deleteVideo, { params: { id: shown } })
  expect(await pinnedFor(owner)).toBeUndefined()
  await pin(hidden)
  await pin(null)
  expect(await pinnedFor(owner)).toBeUndefined()
})

test('finds videos by title, and sorts them by age and views over all pages', async () => {
  const { user, client } = await signUp(site)
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const ids: string[] = []
  for (const [minute, views] of [5, 9, 1, 7].entries())
    ids.push(
      await addVideo(site, user._id, { title: `Part ${minute} of Élan`, views, createdAt: at(minute) }),
    )
  const params = { username: user.username }
  const list = async (query: { text?: string; sort?: contract.ChannelSort }) => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.call(contract.findChannelVideos, {
        params,
        query: { ...query, limit: query.sort === 'popular' ? 200 : 3, ...(cursor ? { cursor } : {}) },
      })
      seen.push(...page.items.map(({ _id }) => _id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return seen.map((id) => ids.indexOf(id))
  }
  expect(await list({})).toEqual([3, 2, 1, 0])
  expect(await list({ sort: 'oldest' })).toEqual([0, 1, 2, 3])
  expect(await list({ sort: 'popular' })).toEqual([1, 3, 0, 2])
  expect(await list({ text: 'part 2' })).toEqual([2])
  expect(await list({ text: 'ÉLAN', sort: 'oldest' })).toEqual([0, 1, 2, 3])
  expect(await list({ text: '%' })).toEqual([])
})

test('lists public playlists only', async () => {
  const [owner, visitor] = [await signUp(site), await signUp(site)]
  for (const visibility of ['private', 'unlisted', 'public'] as const)
    await owner.client.call(createPlaylist, { body: { title: visibility, visibility } })
  for (const { client } of [owner, visitor]) {
    const playlists = await client.call(contract.listChannelPlaylists, {
      params: { username: owner.user.username },
    })
    expect(playlists.map(({ title }) => title)).toEqual(['public'])
  }
})
