import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { isConnectionLost } from './errors/connection-lost.ts'
import { createPool } from './pool.ts'

const polling = { timeout: 60_000, interval: 20 }

let server: Awaited<ReturnType<typeof startRecovering>>
const pools: Pool[] = []

beforeEach(async () => {
  server = await startRecovering()
})
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()))
  server.close()
})

const open = (max = 5) => {
  const pool = createPool(server.url, max)
  pool.on('error', () => undefined)
  pools.push(pool)
  return pool
}

test('while the database is away, one prober per process connects, and statements fail without an attempt', async () => {
  const pool = open()
  const burst = () =>
    Promise.allSettled([...Array(50)].map(() => pool.query('select 1'))).then((results) =>
      results.map((result) => (result.status === 'rejected' ? result.reason : undefined)),
    )
  const startedAt = performance.now()
  for (let round = 0; round < 20; round += 1) {
    const errors = await burst()
    expect(errors.filter((error) => !isConnectionLost(error))).toEqual([])
    expect(String(errors[0])).toContain('in recovery mode')
  }
  // those that began before the first failed, then the prober: after 100 ms, 300 ms, 700 ms …
  expect(server.attempts()).toBeLessThanOrEqual(5 + (performance.now() - startedAt) / 100)

  server.recover()
  const { rows } = await vi.waitUntil(() => pool.query('select 1 as one').catch(() => undefined), polling)
  expect(rows).toEqual([{ one: 1 }])
})

test('pauses of the prober grow', async () => {
  await expect(open().query('select 1')).rejects.toThrow('in recovery mode')
  await vi.waitUntil(() => server.attempts() >= 5, polling)
  const gaps = server.times().map((time, index, times) => time - (times[index - 1] ?? time))
  expect(gaps[4]).toBeGreaterThan(700)
})

test('without a free connection, those that are open are used', async () => {
  server.recover()
  const pool = open(2)
  const lent = await pool.connect()
  server.refuse('53300', 'sorry, too many clients already')
  await expect(pool.query('select 1')).rejects.toThrow('too many clients')
  lent.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

/** A server before the test database, which refuses connections like one that recovers. */
async function startRecovering() {
  const real = new URL(inject('databaseServerUrl'))
  let refusal: Buffer | undefined = refusalOf('57P03', 'the database system is in recovery mode')
  const times: number[] = []
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    times.push(performance.now())
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    const text = refusal
    if (text) return socket.once('data', () => socket.end(text))
    const target = connect(Number(real.port), real.hostname).on('error', () => socket.destroy())
    return socket
      .on('close', () => target.destroy())
      .pipe(target)
      .pipe(socket)
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = listener.address()
  const url = new URL(real)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: url.href,
    attempts: () => times.length,
    times: () => times,
    recover: () => void (refusal = undefined),
    refuse: (code: string, message: string) => void (refusal = refusalOf(code, message)),
    close() {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** An ErrorResponse of PostgreSQL's protocol. */
function refusalOf(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from('E'), length, fields])
}
