import { mutedPeopleMax } from '@kinora/contract/constants.ts'
import {
  addComment,
  addReply,
  editComment,
  listComments,
  listReplies,
} from '@kinora/contract/conversation/comments.ts'
import * as contract from '@kinora/contract/conversation/mutes.ts'
import { countUnreadNotifications, listNotifications } from '@kinora/contract/messages/notifications.ts'
import { listRecommendations } from '@kinora/contract/watching/recommendations.ts'
import { searchVideos, suggestSearches, summarizeSearch } from '@kinora/contract/watching/search.ts'
import { listFeed, toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { listChannelVideos, browseVideos, getVideo, listVideos } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilWaitingForLock } from '../../../testing/waiting-for-lock.ts'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { putMutedPerson } from './queries.ts'

type Member = Awaited<ReturnType<typeof signUp>>

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const mute = (by: Member, { user }: Member, isBlocked = false) =>
  by.client.call(contract.mutePerson, { params: { username: user.username }, body: { isBlocked } })
const unmute = (by: Member, { user }: Member) =>
  by.client.call(contract.unmutePerson, { params: { username: user.username } })
const comment = (by: Member, videoId: string, content: string) =>
  by.client.call(addComment, { body: { videoId, content } })
const reply = (by: Member, commentId: string, content: string) =>
  by.client.call(addReply, { params: { commentId }, body: { content } })
const contentsOf = async (client: TestClient, videoId: string) =>
  (await client.call(listComments, { params: { videoId } })).items.map(({ content }) => content)

/** Whether each kind of list has a video. */
async function listsWith(videoId: string, seedId: string, client: TestClient) {
  const ids = {
    all: (await client.call(listVideos, {})).items.map(({ _id }) => _id),
    browse: (await client.call(browseVideos, { query: { tag: 'osprey' } })).items.map(({ _id }) => _id),
    search: (await client.call(searchVideos, { params: { term: 'osprey' } })).items.map(({ _id }) => _id),
    symbols: (await client.call(searchVideos, { params: { term: '→' } })).items.map(({ _id }) => _id),
    suggestions: (await client.call(suggestSearches, { query: { text: 'ospr' } })).videos.map(
      ({ _id }) => _id,
    ),
    recommended: (await client.call(listRecommendations, { params: { videoId: seedId } })).map(
      ({ video }) => video._id,
    ),
  }
  return Object.entries(ids)
    .filter(([, listed]) => listed.includes(videoId))
    .map(([name]) => name)
}

test('lists leave out the videos of a muted person, for the one who muted only', async () => {
  const [person, muted, other] = [await signUp(site), await signUp(site), await signUp(site)]
  const seedId = await addVideo(site, other.user._id, { tags: ['osprey'] })
  const videoId = await addVideo(site, muted.user._id, { title: 'Osprey → nest', tags: ['osprey'] })
  const username = muted.user.username
  await person.client.call(toggleSubscription, { params: { username } })
  const feed = async () =>
    (await person.client.call(listFeed, { query: {} })).items.map(({ video }) => video._id)
  const everywhere = ['all', 'browse', 'search', 'symbols', 'suggestions', 'recommended']
  const total = async ({ client }: Member) =>
    (await client.call(summarizeSearch, { query: { text: 'osprey' } })).total
  expect(await listsWith(videoId, seedId, person.client)).toEqual(everywhere)
  expect(await feed()).toEqual([videoId])
  expect(await total(person)).toBe(1)

  await mute(person, muted)
  expect(await listsWith(videoId, seedId, person.client)).toEqual([])
  expect(await feed()).toEqual([])
  expect(await total(person)).toBe(0)
  for (const client of [other.client, muted.client, site.client()])
    expect(await listsWith(videoId, seedId, client)).toEqual(everywhere)
  // by its URL and on the channel it is still there
  expect(await person.client.call(getVideo, { params: { id: videoId } })).toHaveLength(1)
  expect((await person.client.call(listChannelVideos, { params: { username } })).userVideos).toHaveLength(1)

  await unmute(person, muted)
  expect(await listsWith(videoId, seedId, person.client)).toEqual(everywhere)
})

test('comments, replies and notifications of a muted person disappear', async () => {
  const [person, muted, other] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, person.user._id)
  const own = await comment(person, videoId, 'Welcome')
  await comment(muted, videoId, 'Before')
  const replies = async ({ client }: Member) =>
    (await client.call(listReplies, { params: { commentId: own._id } })).items.map(({ content }) => content)
  const notified = async () =>
    (await person.client.call(listNotifications, { query: {} })).items.map((one) => one.comment?.content)
  expect(await notified()).toEqual(['Before'])

  await mute(person, muted)
  await reply(muted, own._id, 'A reply')
  await comment(muted, videoId, `After @${person.user.username}`)
  expect(await contentsOf(person.client, videoId)).toEqual(['Welcome'])
  expect(await replies(person)).toEqual([])
  expect(await notified()).toEqual([])
  expect(await person.client.call(countUnreadNotifications, {})).toEqual({ unread: 0 })
  expect(await contentsOf(other.client, videoId)).toHaveLength(3)
  expect(await contentsOf(site.client(), videoId)).toHaveLength(3)
  expect(await replies(other)).toEqual(['A reply'])

  await unmute(person, muted)
  expect(await contentsOf(person.client, videoId)).toHaveLength(3)
  expect(await notified()).toEqual(['Before'])
})

test('a blocked person cannot comment, reply to, edit or mention', async () => {
  const [person, blocked, other] = [await signUp(site), await signUp(site), await signUp(site)]
  const videoId = await addVideo(site, person.user._id)
  const elsewhere = await addVideo(site, other.user._id)
  const before = await comment(blocked, videoId, 'Before')
  const thread = await comment(person, elsewhere, 'My thread')
  const inThread = await reply(other, thread._id, 'A reply')
  await mute(person, blocked, true)
  const refused = { status: 403 }
  await expect(comment(blocked, videoId, 'Again')).rejects.toMatchObject(refused)
  await expect(reply(blocked, thread._id, 'Again')).rejects.toMatchObject(refused)
  await expect(reply(blocked, inThread._id, 'Again')).rejects.toMatchObject(refused)
  const edit = { params: { commentId: before._id }, body: { content: 'Edited' } }
  await expect(blocked.client.call(editComment, edit)).rejects.toMatchObject(refused)
  const mentioning = await comment(blocked, elsewhere, `Hello @${person.user.username}`)
  expect(mentioning.mentions).toEqual([])
  expect(await contentsOf(person.client, elsewhere)).toEqual(['My thread'])
  // the other way round nothing changes
  const theirs = await addVideo(site, blocked.user._id)
  await comment(person, theirs, 'I may')

  await mute(person, blocked, false)
  await comment(blocked, videoId, 'Muted only')
  expect(await contentsOf(person.client, videoId)).toEqual([])
  expect(await contentsOf(other.client, videoId)).toEqual(['Muted only', 'Before'])
})

test('lists whom an account muted, and refuses to mute itself', async () => {
  const [person, one, two] = [await signUp(site), await signUp(site), await signUp(site)]
  await mute(person, one)
  await nextMillisecond()
  await mute(person, two, true)
  await mute(person, one, true)
  await mute(person, one)
  const listed = await person.client.call(contract.listMutedPeople, {})
  expect(listed.map(({ username, isBlocked }) => [username, isBlocked])).toEqual([
    [two.user.username, true],
    [one.user.username, false],
  ])
  expect(await one.client.call(contract.listMutedPeople, {})).toEqual([])
  await expect(mute(person, person)).rejects.toMatchObject({ status: 400 })
  expect((await person.client.send('PUT', '/api/v1/muted-people/nobody', { isBlocked: true })).status).toBe(
    404,
  )
  await unmute(person, two)
  await unmute(person, two)
  expect(await person.client.call(contract.listMutedPeople, {})).toHaveLength(1)
})

test('concurrent requests do not exceed the limit of muted people', async () => {
  const [member, last, beyond] = [await signUp(site), await signUp(site), await signUp(site)]
  const userId = member.user._id
  await sql`
    with people as (
      insert into users (id, username, email, fullname, password_hash, avatar)
      select 'muted' || n, 'muted' || n, 'muted' || n || '@example.org', 'Muted', '', '' from generate_series(2, ${mutedPeopleMax}) n
      returning id
    )
    insert into muted_people (user_id, person_id, is_blocked) select ${userId}, id, false from people`.execute(
    site.db,
  )
  const muted = site.db.transaction().execute(async (transaction) => {
    await putMutedPerson(transaction, { userId, personId: last.user._id, isBlocked: false })
    const answer = mute(member, beyond).catch((error: unknown) => error)
    await untilWaitingForLock(site, 'from "users"')
    return { answer }
  })
  expect(await (await muted).answer).toMatchObject({
    status: 400,
    message: expect.stringContaining('You can mute'),
  })
})
