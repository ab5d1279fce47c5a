import {
  getChat,
  listChatMessages,
  putChatSettings,
  removeChatMessage,
  sendChatMessage,
} from '@kinora/contract/live/chat.ts'
import { putWatchedWords } from '@kinora/contract/conversation/comments.ts'
import { mutePerson } from '@kinora/contract/conversation/mutes.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { createShareLink, openShareLink } from '@kinora/contract/videos/share-links.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { deleteAccount } from '../../portability/account-deletion/actions.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let viewer: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  viewer = await signUp(site)
})
afterAll(() => site.close())

/** A video whose chat began a minute ago. */
async function addChat(fields: Parameters<typeof addVideo>[2] = {}): Promise<string> {
  // the limit of messages counts by this clock
  site.clock.advance(60_000)
  const videoId = await addVideo(site, owner.user._id, { durationSeconds: 600, ...fields })
  await sql`
    update videos set premiere_at = now() - interval '1 minute', chat_from = now() - interval '1 minute',
      chat_until = now() + interval '10 minutes' where id = ${videoId}`.execute(site.db)
  return videoId
}

const send = ({ client }: { client: TestClient }, videoId: string, text = 'Hello') =>
  client.call(sendChatMessage, { params: { videoId }, body: { text } })
const texts = async (client: TestClient, videoId: string, query: object = {}) =>
  (await client.call(listChatMessages, { params: { videoId }, query })).items.map(({ text }) => text)
const reasonOf = async (sending: Promise<unknown>) =>
  sending.then(
    () => null,
    (error: { reason?: string }) => error.reason,
  )

/** The events of a chat as somebody gets them, from when the stream is open. */
async function follow(client: TestClient, videoId: string, query = '') {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await client.fetch(`/api/v1/chat/${videoId}/events${query}`, { signal: abort.signal })
  const seen = { text: '', isEnded: false, status: response.status }
  const read = async () => {
    for await (const chunk of response.body ?? []) seen.text += Buffer.from(chunk).toString()
    seen.isEnded = true
  }
  read().catch(() => (seen.isEnded = true))
  await expect.poll(() => seen.text).toContain('retry')
  return seen
}

test('sends messages to everybody who follows, with their position and the marks of their authors', async () => {
  const videoId = await addChat()
  const moderator = await signUp(site)
  await updateRole(site.db, moderator.user._id, 'moderator')
  const seen = await follow(site.client(), videoId)
  const sent = await send(viewer, videoId, '  Seen from the harbour ')
  await send(owner, videoId, 'Welcome')
  await send(moderator, videoId, 'Be kind')
  expect(sent).toMatchObject({
    text: 'Seen from the harbour',
    mark: null,
    author: { username: viewer.user.username },
  })
  expect(sent.position).toBeGreaterThan(59)
  expect(sent.position).toBeLessThan(120)
  await expect.poll(() => seen.text).toContain('Be kind')
  expect(seen.text).toContain('"mark":"owner"')
  expect(seen.text).toContain('"mark":"moderator"')
  expect(await texts(site.client(), videoId)).toEqual(['Be kind', 'Welcome', 'Seen from the harbour'])
})

test('batches: many messages are few events', async () => {
  const videoId = await addChat()
  const seen = await follow(site.client(), videoId)
  const messages = Array.from({ length: 10 }, (_, count) => `Message ${count}.`)
  await Promise.all(messages.map((text, count) => send(count % 2 === 0 ? owner : viewer, videoId, text)))
  await expect.poll(() => messages.filter((text) => !seen.text.includes(text))).toEqual([])
  expect(seen.text.match(/event: messages/g)?.length).toBeLessThan(9)
})

test('lists the latest messages, older ones page by page, and those between two positions', async () => {
  const videoId = await addChat()
  for (const text of ['One', 'Two', 'Three']) await send(viewer, videoId, text)
  await sql`
    update chat_messages m set sent_at = v.chat_from + case text when 'One' then -5 when 'Two' then 10 else 20 end * interval '1 second'
    from videos v where v.id = m.video_id and v.id = ${videoId}`.execute(site.db)
  const read = (query: { limit: string; cursor?: string }) =>
    viewer.client.call(listChatMessages, { params: { videoId }, query })
  const first = await read({ limit: '2' })
  expect(first.items.map(({ text, position }) => [text, position])).toEqual([
    ['Three', 20],
    ['Two', 10],
  ])
  expect((await read({ limit: '2', cursor: first.nextCursor ?? '' })).items.map(({ text }) => text)).toEqual([
    'One',
  ])
  expect(await texts(viewer.client, videoId, { until: 10 })).toEqual(['Two', 'One'])
  expect(await texts(viewer.client, videoId, { after: 10, until: 60 })).toEqual(['Three'])
})

test('removes messages for everybody: own ones, and others by the channel and by moderators', async () => {
  const videoId = await addChat()
  const [stranger, editor, moderator] = [await signUp(site), await signUp(site), await signUp(site)]
  await updateRole(site.db, moderator.user._id, 'moderator')
  const role = {
    channelId: owner.user._id,
    userId: editor.user._id,
    role: 'editor' as const,
    createdAt: new Date(),
  }
  await site.db.insertInto('collaborators').values(role).execute()
  const seen = await follow(site.client(), videoId)
  for (const { client } of [viewer, owner, editor, moderator]) {
    const { _id: messageId } = await send(viewer, videoId, 'To be removed')
    const params = { videoId, messageId }
    expect(await reasonOf(stranger.client.call(removeChatMessage, { params }))).toBe('message_not_yours')
    await client.call(removeChatMessage, { params })
    await expect.poll(() => seen.text).toMatch(new RegExp(`event: removed\ndata: \\[[^\\]]*"${messageId}"`))
    expect(await texts(viewer.client, videoId)).toEqual([])
    expect(await reasonOf(client.call(removeChatMessage, { params }))).toBe('message_not_found')
  }
})

test('applies the rules of comments: watched words, blocks, suspended accounts, muted people', async () => {
  const videoId = await addChat()
  const other = await signUp(site)
  await owner.client.call(putWatchedWords, {
    query: {},
    body: { watchedWords: 'casino', watchedWordsAction: 'hold' },
  })
  expect(await reasonOf(send(other, videoId, 'Visit my CASINO'))).toBe('chat_words')
  expect(await reasonOf(send(owner, videoId, 'No casino here'))).toBe(null)

  const seen = await follow(viewer.client, videoId)
  await send(other, videoId, 'Before the mute')
  await expect.poll(() => seen.text).toContain('Before the mute')
  const params = { username: other.user.username }
  await viewer.client.call(mutePerson, { params, body: { isBlocked: false } })
  expect(await texts(viewer.client, videoId)).toEqual(['No casino here'])
  const muted = await follow(viewer.client, videoId)
  await send(other, videoId, 'After the mute')
  await send(owner, videoId, 'For all')
  await expect.poll(() => muted.text).toContain('For all')
  expect(muted.text).not.toContain('After the mute')

  await owner.client.call(mutePerson, { params, body: { isBlocked: true } })
  expect(await reasonOf(send(other, videoId))).toBe('blocked')
  expect((await other.client.call(getChat, { params: { videoId }, query: {} })).refusal).toBe('blocked')
  await site.db
    .updateTable('users')
    .set({ suspendedAt: new Date() })
    .where('id', '=', other.user._id)
    .execute()
  expect(await texts(site.client(), videoId)).toEqual(['For all', 'No casino here'])
})

test('slow mode and subscribers only, as the channel sets them; those who moderate write on', async () => {
  const videoId = await addChat()
  const other = await signUp(site)
  const seen = await follow(site.client(), videoId)
  const settings = { writers: 'subscribers', slowSeconds: 30 } as const
  expect((await other.client.put(`/api/v1/chat/${videoId}/settings`, settings)).status).toBe(404)
  await owner.client.call(putChatSettings, { params: { videoId }, body: settings })
  await expect.poll(() => seen.text).toContain('"slowSeconds":30')
  expect(await reasonOf(send(other, videoId))).toBe('chat_for_subscribers')
  await other.client.call(toggleSubscription, { params: { username: owner.user.username } })
  // at once: neither sees the other before it is sent
  const both = await Promise.all([reasonOf(send(other, videoId)), reasonOf(send(other, videoId))])
  expect(new Set(both)).toEqual(new Set(['chat_slow', null]))
  await send(owner, videoId)
  await send(owner, videoId)
  await owner.client.call(putChatSettings, { params: { videoId }, body: { ...settings, writers: 'nobody' } })
  expect(await reasonOf(send(other, videoId))).toBe('chat_closed')
})

test('limits the pace and the length of messages', async () => {
  const videoId = await addChat()
  const fast = await signUp(site)
  expect(await reasonOf(send(fast, videoId, 'x'.repeat(201)))).toBe('too_long')
  const reasons: unknown[] = []
  for (let count = 0; count < 11; count += 1) reasons.push(await reasonOf(send(fast, videoId)))
  expect(reasons.filter((reason) => reason !== null)).toEqual(['chat_fast'])
})

test('is closed after its time, and replayed', async () => {
  const videoId = await addChat()
  await send(viewer, videoId, 'In time')
  await sql`update videos set chat_until = now() where id = ${videoId}`.execute(site.db)
  expect(await reasonOf(send(viewer, videoId))).toBe('chat_closed')
  expect((await viewer.client.call(getChat, { params: { videoId }, query: {} })).refusal).toBe('closed')
  expect(await texts(site.client(), videoId)).toEqual(['In time'])
})

test('is for those who may see the video, or the announcement of a premiere', async () => {
  const videoId = await addChat()
  await send(viewer, videoId, 'Secret')
  const share = await owner.client.call(createShareLink, {
    params: { id: videoId },
    body: { name: 'Class 4b' },
  })
  const { visit } = await site.client().call(openShareLink, { body: { secret: share.secret } })
  const stranger = await signUp(site)
  const statuses = async () => {
    const path = `/api/v1/chat/${videoId}`
    const found: number[] = []
    for (const client of [site.client(), stranger.client, owner.client])
      for (const url of [path, `${path}/messages`]) found.push((await client.get(url)).status)
    return found
  }
  const seen = await follow(stranger.client, videoId)
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'private' } })
  expect(await statuses()).toEqual([404, 404, 404, 404, 200, 200])
  await expect.poll(() => seen.isEnded).toBe(true)
  const { status } = await stranger.client.fetch(`/api/v1/chat/${videoId}/events`)
  expect(status).toBe(404)
  expect(await reasonOf(send(stranger, videoId))).toBe('chat_not_found')
  // with the share link: to read, also for somebody with an account
  const shared = site.client()
  for (const client of [shared, stranger.client])
    expect(await client.call(getChat, { params: { videoId }, query: { visit } })).toMatchObject({
      refusal: 'link',
    })
  const forOwner = await owner.client.call(getChat, { params: { videoId }, query: { visit } })
  expect(forOwner.refusal).toBeNull()
  expect((await shared.get(`/api/v1/chat/${videoId}/messages?visit=${visit}`)).text).toContain('Secret')
  expect((await shared.get(`/api/v1/chat/${videoId}/messages?visit=x`)).status).toBe(404)
  expect((await shared.post(`/api/v1/chat/${videoId}/messages`, { text: 'Hello' })).status).toBe(401)
  const publishAt = new Date(Date.now() + 3600_000).toISOString()
  await owner.client.call(changeOwnVideo, {
    params: { id: videoId },
    body: { visibility: 'scheduled', publishAt, isPremiere: true },
  })
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200])
  expect((await send(stranger, videoId, 'Early')).position).toBeLessThan(-3000)
  await owner.client.call(changeOwnVideo, {
    params: { id: videoId },
    body: { visibility: 'scheduled', publishAt, isPremiere: false },
  })
  expect(await statuses()).toEqual([404, 404, 404, 404, 404, 404])
})

test('a video without a chat has none', async () => {
  const videoId = await addVideo(site, owner.user._id)
  expect(await reasonOf(viewer.client.call(getChat, { params: { videoId }, query: {} }))).toBe(
    'chat_not_found',
  )
  expect(await reasonOf(send(owner, videoId))).toBe('chat_not_found')
})

test('messages are deleted with their account and with the video', async () => {
  const videoId = await addChat()
  const leaving = await signUp(site)
  await send(leaving, videoId)
  await send(owner, videoId, 'Stays')
  await deleteAccount(site.context, leaving.user._id)
  expect(await texts(site.client(), videoId)).toEqual(['Stays'])
  await site.db.deleteFrom('videos').where('id', '=', videoId).execute()
  const left = await site.db.selectFrom('chatMessages').select('id').where('videoId', '=', videoId).execute()
  expect(left).toEqual([])
})
