import * as contract from '@kinora/contract/watching/recommendations.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const recommend = (client: TestClient, videoId: string) =>
  client.call(contract.listRecommendations, { params: { videoId } })

test('mixes the channel, shared tags and popular videos, each with its reason', async () => {
  const [owner, other] = [await signUp(site), await signUp(site)]
  const seed = await addVideo(site, owner.user._id, { tags: ['heron', 'dawn'] })
  const sameChannel = await addVideo(site, owner.user._id)
  const oneTag = await addVideo(site, other.user._id, { tags: ['dawn'] })
  const bothTags = await addVideo(site, other.user._id, { description: 'Seen at #dawn: a #heron' })
  const popular = await addVideo(site, other.user._id, { views: 1_000_000 })
  const reasons = new Map(
    (await recommend(site.client(), seed)).map(({ video, reason }) => [video._id, reason]),
  )
  expect([...reasons.keys()].slice(0, 3)).toEqual([bothTags, sameChannel, popular])
  expect(reasons.get(bothTags)).toEqual({ kind: 'tag', tag: 'dawn' })
  expect(reasons.get(oneTag)).toEqual({ kind: 'tag', tag: 'dawn' })
  expect(reasons.get(sameChannel)).toEqual({ kind: 'channel', tag: null })
  expect(reasons.get(popular)).toEqual({ kind: 'popular', tag: null })
  expect(reasons.has(seed)).toBe(false)
})

test('puts at most two videos of one channel in a row', async () => {
  const [owner, other] = [await signUp(site), await signUp(site)]
  const seed = await addVideo(site, owner.user._id, { tags: ['otter'] })
  for (let n = 0; n < 9; n += 1) await addVideo(site, owner.user._id, { tags: ['otter'], views: 2_000_000 })
  for (let n = 0; n < 3; n += 1) await addVideo(site, other.user._id, { tags: ['otter'] })
  const owners = (await recommend(site.client(), seed)).map(({ video }) => video.videoOwner._id)
  expect(owners.length).toBeGreaterThan(6)
  for (const [index, id] of owners.entries()) expect(owners.slice(index, index + 3)).not.toEqual([id, id, id])
})

test('contains only what lists show to the caller', async () => {
  const [owner, member] = [await signUp(site), await signUp(site)]
  const seed = await addVideo(site, owner.user._id, { tags: ['seal'] })
  const add = (fields: object) => addVideo(site, owner.user._id, { tags: ['seal'], ...fields })
  const forMembers = await add({ visibility: 'members' })
  const hidden = [
    await add({ visibility: 'unlisted' }),
    await add({ visibility: 'private' }),
    await add({ takedownReason: 'No rights' }),
  ]
  const idsFor = async (client: TestClient) => (await recommend(client, seed)).map(({ video }) => video._id)
  for (const client of [site.client(), member.client, owner.client])
    expect((await idsFor(client)).filter((id) => hidden.includes(id))).toEqual([])
  expect(await idsFor(site.client())).not.toContain(forMembers)
  expect(await idsFor(member.client)).toContain(forMembers)
})

test('remembers dismissed videos and channels of each account until they are restored', async () => {
  const [person, other, channel] = [await signUp(site), await signUp(site), await signUp(site)]
  const first = await addVideo(site, channel.user._id)
  const second = await addVideo(site, channel.user._id)
  const { client } = person
  const username = channel.user.username.toUpperCase()
  for (const videoId of [first, second, first]) {
    await client.call(contract.dismissVideo, { params: { videoId } })
    await nextMillisecond()
  }
  await client.call(contract.dismissChannel, { params: { username } })
  await client.call(contract.dismissChannel, { params: { username } })
  const { _id, fullname, avatar } = channel.user
  expect(await client.call(contract.listDismissed, {})).toEqual({
    videoIds: [second, first],
    channels: [{ _id, username: channel.user.username, fullname, avatar }],
  })
  expect(await other.client.call(contract.listDismissed, {})).toEqual({ videoIds: [], channels: [] })
  const shown = async () => (await client.call(contract.listDismissedVideos, {})).map((video) => video._id)
  expect(await shown()).toEqual([second, first])
  expect(await other.client.call(contract.listDismissedVideos, {})).toEqual([])

  await client.call(contract.restoreVideo, { params: { videoId: second } })
  expect(await shown()).toEqual([first])
  await channel.client.call(changeOwnVideo, { params: { id: first }, body: { visibility: 'private' } })
  expect(await shown()).toEqual([])
  await client.call(contract.restoreChannel, { params: { username } })
  expect(await client.call(contract.listDismissed, {})).toEqual({ videoIds: [first], channels: [] })
  // no effect on subscriptions
  expect(await client.call(toggleSubscription, { params: { username } })).toMatchObject({ subbed: true })
})

test('returns 404 for unknown videos and channels', async () => {
  const { client } = await signUp(site)
  expect((await client.get('/api/v1/recommendations/nothing')).status).toBe(404)
  expect((await client.send('PUT', '/api/v1/dismissed/videos/nothing')).status).toBe(404)
  expect((await client.send('PUT', '/api/v1/dismissed/channels/nobody')).status).toBe(404)
})
