import { channelGroupsPerAccount } from '@kinora/contract/constants.ts'
import * as contract from '@kinora/contract/watching/subscriptions.ts'
import { getChannel } from '@kinora/contract/accounts/users.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { updateHistory } from '@kinora/contract/watching/history.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateRole } from '../../accounts/users/queries.ts'
import { publishScheduledVideos } from '../../videos/videos/actions/publish-scheduled.ts'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, signUpMany } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

type Person = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let people: Person[]

beforeAll(async () => {
  site = await createTestApp()
  people = await signUpMany(site, 50)
})
afterAll(() => site.close())

const toggle = (person: Person, channel: Person) =>
  person.client.call(contract.toggleSubscription, { params: { username: channel.user.username } })
const channelOf = (person: Person) =>
  person.client.call(getChannel, { params: { username: person.user.username } })

test('a toggle returns the new state and updates all counts', async () => {
  const [fan, channel] = [await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, channel.user._id)
  const params = { username: channel.user.username.toUpperCase() }
  const isSubscribed = () => fan.client.call(contract.hasSubscribed, { params: { videoId } })
  expect(await isSubscribed()).toEqual({ subbed: false })
  expect(await fan.client.call(contract.toggleSubscription, { params })).toEqual({
    subbed: true,
    totalSub: 1,
  })
  expect(await isSubscribed()).toEqual({ subbed: true })
  expect((await site.client().call(getVideo, { params: { id: videoId } }))[0]?.totalSubs).toBe(1)
  expect(await channelOf(fan)).toMatchObject({ subscribersCount: 0, subscribedToCount: 1 })
  expect(await fan.client.call(getChannel, { params })).toMatchObject({
    subscribersCount: 1,
    subscribedToCount: 0,
    isSubscribed: true,
  })
  expect(await fan.client.call(contract.toggleSubscription, { params })).toEqual({
    subbed: false,
    totalSub: 0,
  })
  expect(await channelOf(fan)).toMatchObject({ subscribersCount: 0, subscribedToCount: 0 })
})

test('users may subscribe to themselves', async () => {
  const self = await signUp(site)
  expect(await toggle(self, self)).toEqual({ subbed: true, totalSub: 1 })
  expect(await channelOf(self)).toMatchObject({
    subscribersCount: 1,
    subscribedToCount: 1,
    isSubscribed: true,
  })
  expect(await toggle(self, self)).toEqual({ subbed: false, totalSub: 0 })
  expect(await channelOf(self)).toMatchObject({ subscribersCount: 0, subscribedToCount: 0 })
})

test('subscribing again, and ending a subscription again, changes nothing', async () => {
  const [fan, star] = [await signUp(site), await signUp(site)]
  const params = { username: star.user.username }
  const notifications = async () => (await star.client.call(listNotifications, {})).items.length
  for (let time = 0; time < 2; time += 1) {
    expect(await fan.client.call(contract.putSubscription, { params })).toEqual({ subbed: true, totalSub: 1 })
    expect(await notifications()).toBe(1)
  }
  for (let time = 0; time < 2; time += 1) {
    expect(await fan.client.call(contract.deleteSubscription, { params })).toEqual({
      subbed: false,
      totalSub: 0,
    })
    expect(await notifications()).toBe(0)
  }
})

test('lists subscriptions newest first, by cursor', async () => {
  const fan = await signUp(site)
  const channels = people.slice(0, 6)
  for (const channel of channels) {
    await toggle(fan, channel)
    await nextMillisecond()
  }
  const { body } = await people[0]!.client.get(`/api/v1/sub/all/${fan.user.username.toUpperCase()}`)
  expect(body.data).toEqual(
    channels.toReversed().map(({ user }) => ({
      createdAt: expect.any(String),
      subscribedToName: { username: user.username, fullname: user.fullname, avatar: user.avatar },
    })),
  )
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await fan.client.call(contract.listSubscriptions, {
      params: { username: fan.user.username },
      query: { limit: 4, ...(cursor ? { cursor } : {}) },
    })
    seen.push(...page.items.map((entry) => entry.subscribedToName.username))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(channels.toReversed().map(({ user }) => user.username))
})

test('shows private subscriptions to their owner only, not to moderators', async () => {
  const [person, other, moderator] = [await signUp(site), await signUp(site), await signUp(site)]
  await updateRole(site.db, moderator.user._id, 'moderator')
  await toggle(person, other)
  const list = async ({ client }: Person) => {
    const { status, body } = await client.get(`/api/v1/sub/all/${person.user.username}`)
    return [status, Array.isArray(body.data) ? body.data.length : undefined]
  }
  const choose = (visibleTo: 'members' | 'self') =>
    person.client.call(contract.putSubscriptionSettings, { body: { visibleTo } })
  expect(await person.client.call(contract.getSubscriptionSettings, {})).toEqual({ visibleTo: 'members' })
  expect(await list(other)).toEqual([200, 1])
  for (let time = 0; time < 2; time += 1) await choose('self')
  expect(await person.client.call(contract.getSubscriptionSettings, {})).toEqual({ visibleTo: 'self' })
  expect([await list(person), await list(other), await list(moderator)]).toEqual([
    [200, 1],
    [403, undefined],
    [403, undefined],
  ])
  await choose('members')
  expect(await list(other)).toEqual([200, 1])
})

test('returns 401 when signed out, before 404 for an unknown channel', async () => {
  const [person] = people
  for (const [method, path] of [
    ['GET', '/api/v1/sub/hassubbed/nothing'],
    ['POST', '/api/v1/sub/channel/nobody'],
    ['GET', '/api/v1/sub/all/nobody'],
  ] as const) {
    expect((await site.client().send(method, path)).status).toBe(401)
    expect((await person!.client.send(method, path)).status).toBe(404)
  }
})

test('fifty concurrent subscriptions count fifty', async () => {
  const channel = await signUp(site)
  const states = await Promise.all(people.map((person) => toggle(person, channel)))
  expect(states.map(({ totalSub }) => totalSub).toSorted((a, b) => a - b)).toEqual(
    people.map((_, n) => n + 1),
  )
  expect((await channelOf(channel)).subscribersCount).toBe(50)
})

test('concurrent toggles count at most once, and all counts equal the rows', async () => {
  const [first, second, third] = [await signUp(site), await signUp(site), await signUp(site)]
  const circle = [first, second, third]
  const pairs = circle.flatMap((fan) => circle.map((channel) => [fan, channel] as const))
  await Promise.all(
    Array.from({ length: 7 }, () => pairs.map(([fan, channel]) => toggle(fan, channel))).flat(),
  )
  for (const person of circle) {
    expect(await channelOf(person)).toMatchObject({ subscribersCount: 3, subscribedToCount: 3 })
  }
})

test('the feed has the videos of subscribed channels, newest first, by cursor, and marks watched ones', async () => {
  const [fan, first, second, other] = [
    await signUp(site),
    await signUp(site),
    await signUp(site),
    await signUp(site),
  ]
  const publishedAt = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const add = (owner: Person, minute: number, fields: object = {}) =>
    addVideo(site, owner.user._id, { createdAt: publishedAt(minute), ...fields })
  const videoIds = [await add(first, 1), await add(second, 2), await add(first, 3), await add(second, 4)]
  await add(other, 5)
  await add(first, 6, { takedownReason: 'No rights' })
  await add(first, 7, { visibility: 'unlisted' })
  await toggle(fan, first)
  await toggle(fan, second)
  await fan.client.call(updateHistory, { params: { videoId: videoIds[1] ?? '' } })

  const pageOf = (query: object) => fan.client.call(contract.listFeed, { query })
  const start = await pageOf({ limit: 3 })
  const rest = await pageOf({ limit: 3, cursor: start.nextCursor ?? '' })
  expect([...start.items, ...rest.items].map(({ video, isWatched }) => [video._id, isWatched])).toEqual([
    [videoIds[3], false],
    [videoIds[2], false],
    [videoIds[1], true],
    [videoIds[0], false],
  ])
  expect(rest.nextCursor).toBeNull()
  expect((await other.client.call(contract.listFeed, {})).items).toEqual([])
})

test('the feed has something new until it is seen or watched', async () => {
  const [fan, channel] = [await signUp(site), await signUp(site)]
  const visit = () => fan.client.call(contract.getFeedVisit, {})
  const publish = () => addVideo(site, channel.user._id, { createdAt: site.clock.now() })
  expect(await visit()).toEqual({ seenAt: null, hasNew: false })
  await toggle(fan, channel)
  await publish()
  expect(await visit()).toEqual({ seenAt: null, hasNew: true })
  const seen = { seenAt: site.clock.now().toISOString(), hasNew: false }
  expect(await fan.client.call(contract.putFeedVisit, {})).toEqual(seen)
  site.clock.advance(60_000)
  const videoId = await publish()
  expect(await visit()).toEqual({ ...seen, hasNew: true })
  await fan.client.call(updateHistory, { params: { videoId } })
  expect(await visit()).toEqual(seen)
})

test('the feed shows a scheduled video as new from its publication on', async () => {
  const [fan, channel] = [await signUp(site), await signUp(site)]
  await toggle(fan, channel)
  const minutesAgo = (minutes: number) => new Date(site.clock.now().getTime() - minutes * 60_000)
  const add = (minutes: number, fields: object = {}) =>
    addVideo(site, channel.user._id, { createdAt: minutesAgo(minutes), ...fields })
  const scheduled = await add(60, { visibility: 'scheduled', publishAt: minutesAgo(1) })
  const uploadedMeanwhile = await add(30)
  const feed = async () =>
    (await fan.client.call(contract.listFeed, {})).items.map(({ video, isWatched }) => [video._id, isWatched])
  expect(await feed()).toEqual([[uploadedMeanwhile, false]])
  await publishScheduledVideos(site.context)
  expect(await feed()).toEqual([
    [scheduled, false],
    [uploadedMeanwhile, false],
  ])
})

test('groups of followed channels filter the feed, and leave out channels that are not followed', async () => {
  const [fan, first, second, stranger] = [
    await signUp(site),
    await signUp(site),
    await signUp(site),
    await signUp(site),
  ]
  const videoIds = [await addVideo(site, first.user._id), await addVideo(site, second.user._id)]
  await toggle(fan, first)
  await toggle(fan, second)
  const create = (name: string, channels: Person[]) =>
    fan.client.call(contract.createChannelGroup, {
      body: { name, usernames: channels.map(({ user }) => user.username.toUpperCase()) },
    })
  const group = await create('Salt', [first, stranger])
  expect(group).toEqual({ _id: group._id, name: 'Salt', usernames: [first.user.username] })
  const other = await create('Light', [])
  expect(await fan.client.call(contract.listChannelGroups, {})).toEqual([other, group])
  const feedOf = async ({ client }: Person, groupId: string) =>
    (await client.call(contract.listFeed, { query: { group: groupId } })).items.map(({ video }) => video._id)
  expect(await feedOf(fan, group._id)).toEqual([videoIds[0]])
  expect(await feedOf(fan, other._id)).toEqual([])
  // nobody else reads or changes it
  await toggle(stranger, first)
  expect(await feedOf(stranger, group._id)).toEqual([])
  const params = { groupId: group._id }
  expect((await stranger.client.send('DELETE', `/api/v1/sub/groups/${group._id}`)).status).toBe(404)

  await fan.client.call(contract.updateChannelGroup, {
    params,
    body: { name: 'Sea', usernames: [second.user.username] },
  })
  expect(await feedOf(fan, group._id)).toEqual([videoIds[1]])
  await toggle(fan, second)
  expect(await fan.client.call(contract.listChannelGroups, {})).toEqual([
    other,
    { _id: group._id, name: 'Sea', usernames: [] },
  ])
  await fan.client.call(contract.deleteChannelGroup, { params })
  expect(await fan.client.call(contract.listChannelGroups, {})).toEqual([other])
})

test('limits the groups of one account', async () => {
  const { client } = await signUp(site)
  const create = () => client.send('POST', '/api/v1/sub/groups', { name: 'Salt', usernames: [] })
  const made = await Promise.all(Array.from({ length: channelGroupsPerAccount + 2 }, create))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(channelGroupsPerAccount)
})
