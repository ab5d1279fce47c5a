import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findQuietPort } from '../../testing/servers/quiet-port.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { createLog } from '../log.ts'
import { createDb, createPool } from './pool.ts'
import { PubSub, textTopic } from './pubsub.ts'

let database: TestDatabase
let db: Kysely<unknown>
const log = createLog('silent', 'web')

beforeAll(async () => {
  database = await createTestDatabase()
  const pool = createPool(database.url, 2)
  // dropping the database may end connections that are being closed
  pool.on('error', () => undefined)
  db = createDb(pool)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Proxies connections to the database and counts them. */
async function relayTo(url: string, port: number) {
  const { hostname, port: there } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(Number(there), hostname)
    socket.pipe(onward).pipe(socket)
    for (const end of [socket, onward]) end.on('error', () => undefined)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { open, close: () => server.close() }
}

test('drops subscribers whose connection failed', async () => {
  const port = await findQuietPort()
  const url = new URL(database.url)
  url.host = `127.0.0.1:${port}`
  const pubsub = new PubSub(url.href, log)
  const received: string[] = []
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(pubsub.subscribe(textTopic('topic'), () => received.push('the first'))).rejects.toThrow(
      'ECONNREFUSED',
    )

  const relay = await relayTo(database.url, port)
  await expect
    .poll(() => pubsub.subscribe(textTopic('topic'), (message) => received.push(message)), {
      timeout: 60_000,
    })
    .toBeTypeOf('function')
  await pubsub.publish(db, textTopic('topic'), 'news')
  await expect.poll(() => received).toEqual(['news'])
  expect(relay.open.size).toBe(1)
  await pubsub.close()
  relay.close()
})
