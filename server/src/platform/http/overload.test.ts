import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp } from '../../testing/test-app.ts'
import { signUp, testPassword } from '../../testing/test-users.ts'

test(
  'a flood is answered or put off, every part of it, and the next visitor is served',
  { timeout: 120_000 },
  async () => {
    const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '10' } })
    const flood = async (name: string) => {
      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, at) => site.client().get(`/api/v1/video/search/${name}${at}`)),
      )
      for (const { status, headers, body } of answers) {
        expect([status, headers.get('retry-after'), body.success]).toEqual(
          status === 200 ? [200, null, true] : [503, '2', false],
        )
      }
      return answers.filter(({ status }) => status === 200).length
    }
    try {
      expect(await flood('free')).toBeGreaterThan(0)
      // all that one address may have
      const slow = [1, 2, 3].map(() => connect(Number(new URL(site.origin).port), '127.0.0.1'))
      for (const socket of slow) await hold(socket, '127.0.0.1')
      expect(await flood('taken')).toBe(0)
      for (const socket of slow) socket.destroy()
      await vi.waitUntil(async () => (await site.client().get('/api/v1/video/all')).status === 200, 60_000)
    } finally {
      await site.close()
    }
  },
)

test('more requests at once than fit are put off, and taken again when there is room', async () => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '3', TRUST_PROXY: 'true' } })
  const { port } = new URL(site.origin)
  try {
    const busy = [1, 2, 3].map((at) => ({ at, socket: connect(Number(port), '127.0.0.1') }))
    for (const { at, socket } of busy) await hold(socket, `192.0.2.${at}`)
    const refused = await site.client().get('/api/v1/video/all')
    expect([refused.status, refused.headers.get('retry-after'), refused.body.code]).toEqual([
      503,
      '2',
      'unavailable',
    ])
    expect((await site.client().get('/healthz')).status).toBe(200)
    busy[0]?.socket.destroy()
    busy[1]?.socket.end('{}')
    await vi.waitUntil(async () => (await site.client().get('/api/v1/video/all')).status === 200, 60_000)
    for (const { socket } of busy) socket.destroy()
  } finally {
    await site.close()
  }
})

test('one address gets a quarter of the places, so that it keeps nobody else out', async () => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '8', TRUST_PROXY: 'true' } })
  const { port } = new URL(site.origin)
  const ask = async (address: string) =>
    (await site.client().fetch('/api/v1/video/all', { headers: { 'x-forwarded-for': address } })).status
  try {
    const slow = [connect(Number(port), '127.0.0.1'), connect(Number(port), '127.0.0.1')]
    for (const socket of slow) await hold(socket, '192.0.2.1')
    expect([await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual([503, 200])
    slow[0]?.destroy()
    await vi.waitUntil(async () => (await ask('192.0.2.1')) === 200, 60_000)
    slow[1]?.destroy()
  } finally {
    await site.close()
  }
})

/** Begins a request whose body does not come. */
async function hold(socket: Socket, address: string): Promise<void> {
  socket.write(
    `POST /api/v1/users/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
  )
  // "go on" is said once a request is taken up
  await once(socket, 'data')
}

test('what the database has no room for is put off', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { user } = await signUp(site)
  await sql`
    create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(site.db)
  await sql`create trigger full_disk before insert on sessions for each row execute function refuse()`.execute(
    site.db,
  )
  const answer = await site
    .client()
    .post('/api/v1/users/login', { email: user.email, password: testPassword })
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
})
