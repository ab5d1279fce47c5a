import { once } from 'node:events'
import { connect } from 'node:net'
import { changePassword } from '@kinora/contract/accounts/passwords.ts'
import { logout } from '@kinora/contract/accounts/sessions.ts'
import { reprocessVideo } from '@kinora/contract/videos/playback.ts'
import { type VideoProcessing } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../../app/create-context.ts'
import { countTakenSlots } from '../../../testing/fixtures/taken-slots.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateProcessing, updateProgress } from '../videos/queries/processing.ts'
import { textTopic } from '@kinora/platform/db/pubsub.ts'

const address = '/api/v1/events'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ constants: { eventStreamsPerUser: 3 } })
})
afterAll(() => site.close())

const half = { state: 'processing', progress: 0.5, reason: null } as const

/** Resolves when earlier notifications have arrived: they are not for streams that open later. */
async function untilNotified(): Promise<void> {
  const { pubsub, db } = site.context
  let receive = () => {}
  const received = new Promise<void>((resolve) => (receive = resolve))
  const unlisten = await pubsub.subscribe(textTopic('test'), receive, () => undefined)
  await pubsub.publish(db, textTopic('test'), '')
  await received
  unlisten()
}

/** An open stream; `next` waits for one more event and returns undefined when the stream has ended properly. */
async function follow(client: TestClient) {
  const leaving = new AbortController()
  const response = await client.fetch(address, { signal: leaving.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<VideoProcessing | undefined> => {
    for (;;) {
      const [block, rest] = text.split(/\n\n(.*)/s, 2)
      if (rest === undefined) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
        if (done) return undefined
        text += value
        continue
      }
      text = rest
      const data = /^event: processing\ndata: (.*)$/.exec(block ?? '')?.[1]
      if (data !== undefined) return JSON.parse(data) as VideoProcessing
    }
  }
  onTestFinished(() => leaving.abort())
  return { response, next, leave: () => leaving.abort() }
}

/** Number of open streams of an account. */
const openStreams = (userId: string) => countTakenSlots(site.db, 'event_streams', userId)

test('sends unfinished videos, then every change by any process', async () => {
  const { client, user } = await signUp(site)
  const [early, late] = [await addVideo(site, user._id), await addVideo(site, user._id)]
  await updateProcessing(site.db, early, half)
  await updateProcessing(site.db, late, { state: 'ready', progress: 1, reason: null })
  await untilNotified()
  const { response, next } = await follow(client)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  expect(await next()).toEqual({ videoId: early, ...half })

  const other = await createContext(site.context.config, site.databaseUrl, 'web')
  onTestFinished(() => other.close())
  const failed = { state: 'failed', progress: 1, reason: 'Some parts could not be prepared.' } as const
  await updateProcessing(other.db, late, failed)
  expect(await next()).toEqual({ videoId: late, ...failed })
  await updateProcessing(other.db, early, { state: 'ready', progress: 1, reason: null })
  expect(await next()).toEqual({ videoId: early, state: 'ready', progress: 1, reason: null })
})

test('sends nothing to other users', async () => {
  const [owner, stranger] = [await signUp(site), await signUp(site)]
  const [ours, theirs] = [await addVideo(site, owner.user._id), await addVideo(site, stranger.user._id)]
  await updateProcessing(site.db, theirs, { state: 'ready', progress: 1, reason: null })
  await untilNotified()
  const { next } = await follow(stranger.client)
  await updateProcessing(site.db, ours, half)
  await updateProcessing(site.db, theirs, half)
  expect(await next()).toEqual({ videoId: theirs, ...half })
  expect((await site.client().get(address)).status).toBe(401)
})

test('ends with the session', async () => {
  const { client } = await signUp(site)
  const { next } = await follow(client)
  await client.call(logout, {})
  expect(await next()).toBeUndefined()
})

test('ends sessions only when the password was changed', async () => {
  const { client, user } = await signUp(site)
  const elsewhere = site.client()
  await elsewhere.post('/api/v1/users/login', { email: user.email, password: testPassword })
  const [here, there] = [await follow(client), await follow(elsewhere)]
  const body = { oldPassword: testPassword, newPassword: `new ${testPassword}` }
  await client.call(changePassword, { body })
  expect(await there.next()).toBeUndefined()
  const id = await addVideo(site, user._id)
  await updateProcessing(site.db, id, half)
  expect(await here.next()).toEqual({ videoId: id, ...half })
})

test('limits the streams of a user, and closes unread ones', async () => {
  const { client, user } = await signUp(site)
  const streams = [await follow(client), await follow(client), await follow(client)]
  const refused = await client.get(address)
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  for (const { leave } of streams) leave()
  await expect.poll(() => openStreams(user._id)).toBe(0)
  const { response } = await follow(client)
  expect(response.status).toBe(200)
})

test('closes the connection of a client that stops reading', async () => {
  const { client, user } = await signUp(site)
  const id = await addVideo(site, user._id)
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const [cookie] = [...client.cookies].map(([name, value]) => `${name}=${value}`)
  socket.write(`GET ${address} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`)
  await once(socket, 'readable')
  const reason = 'x'.repeat(6000)
  // socket buffers take some megabytes before the server notices a slow reader
  for (let round = 0; round < 4000 && (await openStreams(user._id)) > 0; round += 1) {
    await updateProcessing(site.db, id, { ...half, reason })
  }
  await expect.poll(() => openStreams(user._id)).toBe(0)
})

test('a HEAD request opens no stream', async () => {
  const { client, user } = await signUp(site)
  expect((await client.fetch(address, { method: 'HEAD' })).status).toBe(405)
  expect(await openStreams(user._id)).toBe(0)
})

test('ends when the server stops', async () => {
  const stopping = await createTestApp()
  const { client } = await signUp(stopping)
  const { next } = await follow(client)
  const closed = stopping.close()
  expect(await next()).toBeUndefined()
  await closed
})

const failed = { state: 'failed', progress: 1, reason: 'Some parts could not be prepared.' } as const

test('a failure persists while other parts are prepared', async () => {
  const { client, user } = await signUp(site)
  const id = await addVideo(site, user._id)
  await updateProgress(site.db, id, 0.25)
  await updateProcessing(site.db, id, failed)
  await updateProgress(site.db, id, 0.5)
  await untilNotified()
  const { next } = await follow(client)
  expect(await next()).toEqual({ videoId: id, ...failed })
})

test('the owner retries a failed preparation, once for repeated requests', async () => {
  const { client, user } = await signUp(site)
  const id = await addVideo(site, user._id)
  const waiting = async () => {
    const { rows } = await sql<{ name: string }>`
      select name from pgboss.job where singleton_key = ${id} and state = 'created'`.execute(site.db)
    return rows.map(({ name }) => name)
  }
  await updateProcessing(site.db, id, { state: 'ready', progress: 1, reason: null })
  const again = () => client.call(reprocessVideo, { params: { id } })
  expect((await again()).processing).toMatchObject({ state: 'ready' })
  expect(await waiting()).toEqual([])

  await updateProcessing(site.db, id, failed)
  const responses = await Promise.all([again(), again(), again()])
  for (const { processing } of responses) expect(processing).toEqual({ ...half, progress: 0 })
  expect(await waiting()).toEqual(['playback.prepare'])
})
