import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { findQuietPort } from '../testing/quiet-port.ts'
import { startSilentProxy } from '../testing/silent-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createLog } from '../log.ts'
import { createDb, createPool } from './pool.ts'
import { PubSub, textTopic, type Topic } from './pubsub.ts'

let database: TestDatabase
let db: Kysely<unknown>
const log = createLog('silent', 'web')
const ignore = () => undefined

beforeAll(async () => {
  database = await createTestDatabase()
  const pool = createPool(database.url, 2)
  // dropping the database may end connections that are being closed
  pool.on('error', ignore)
  db = createDb(pool)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('drops subscribers whose connection failed', async () => {
  const port = await findQuietPort()
  const url = new URL(database.url)
  url.host = `127.0.0.1:${port}`
  const pubsub = new PubSub(url.href, log)
  const received: string[] = []
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(
      pubsub.subscribe(textTopic('topic'), () => received.push('the first'), ignore),
    ).rejects.toThrow('ECONNREFUSED')

  using proxy = await startSilentProxy(database.url, port)
  const receive = (message: string) => received.push(message)
  await expect
    .poll(() => pubsub.subscribe(textTopic('topic'), receive, ignore), { timeout: 60_000 })
    .toBeTypeOf('function')
  await pubsub.publish(db, textTopic('topic'), 'news')
  await expect.poll(() => received).toEqual(['news'])
  expect(proxy.connections.size).toBe(1)
  await pubsub.close()
})

test('drops messages that it cannot read, and logs them once', async () => {
  const lines: unknown[] = []
  const recording = createLog('silent', 'web')
  recording.error = (line: unknown) => void lines.push(line)
  const pubsub = new PubSub(database.url, recording)
  onTestFinished(() => pubsub.close())
  const Message = z.object({ id: z.string(), state: z.enum(['ready', 'failed']) })
  const topic: Topic<z.infer<typeof Message>> = {
    name: 'changes/7',
    encode: (message) => JSON.stringify(message),
    decode: (text) => Message.parse(JSON.parse(text)),
  }
  const received: unknown[] = []
  await pubsub.subscribe(
    topic,
    () => {
      throw new Error('this subscriber fails')
    },
    ignore,
  )
  await pubsub.subscribe(topic, (message) => received.push(message), ignore)

  const send = (payload: string) => sql`select pg_notify('kinora', ${payload})`.execute(db)
  await sql.raw('notify kinora').execute(db)
  for (const payload of ['x', 'y', 'null', '7', '{"a":1}', '["changes/7"]', '[["changes/7"],{}]'])
    await send(payload)
  for (const text of ['', 'x', '{}', '{"id":"a","state":"paused"}'])
    await send(JSON.stringify(['changes/7', text]))
  // the next version, in which a message and the list around it have more fields
  await send(JSON.stringify(['changes/7', '{"id":"new","state":"ready","percent":100}', 'sent by web 3']))
  await pubsub.publish(db, topic, { id: 'own', state: 'failed' })
  // the version before
  await sql`select pg_notify('signals', ${JSON.stringify(['changes/7', '{"id":"old","state":"ready"}'])})`.execute(
    db,
  )
  await expect
    .poll(() => received)
    .toEqual([
      { id: 'new', state: 'ready' },
      { id: 'own', state: 'failed' },
      { id: 'old', state: 'ready' },
    ])
  const reasons = lines.map((line) => (line as { reason: string }).reason)
  expect(reasons).toEqual([...new Set(reasons)])
  expect(reasons).toEqual(
    expect.arrayContaining([
      'the payload is not JSON',
      'the payload has no topic and text',
      'changes: this subscriber fails',
    ]),
  )
})

test('listens again after the server went silent, and tells subscribers that messages may be lost', async () => {
  using proxy = await startSilentProxy(database.url)
  const pubsub = new PubSub(proxy.url, log, { heartbeatMs: 100, responseMs: 2000 })
  onTestFinished(() => pubsub.close())
  const events: string[] = []
  await pubsub.subscribe(
    textTopic('topic'),
    (message) => events.push(message),
    () => events.push('missed'),
  )
  await pubsub.publish(db, textTopic('topic'), 'before')
  await expect.poll(() => events).toEqual(['before'])

  proxy.goSilent()
  await pubsub.publish(db, textTopic('topic'), 'lost')
  await expect.poll(() => events, { timeout: 60_000 }).toEqual(['before', 'missed'])
  await pubsub.publish(db, textTopic('topic'), 'after')
  await expect.poll(() => events).toEqual(['before', 'missed', 'after'])
})
