import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../testing/fixtures/test-users.ts'

const { connections, addresses, requestsAtOnce } = attackSize({
  short: { connections: 120, addresses: 6, requestsAtOnce: '40' },
  full: { connections: 3000, addresses: 8, requestsAtOnce: '2000' },
})

/** Starts one request per connection of the attack, from several local addresses. */
async function trickle(site: TestApp, head: string): Promise<Socket[]> {
  const port = Number(new URL(site.origin).port)
  const sockets = Array.from({ length: connections }, (_, at) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${10 + (at % addresses)}` }),
  )
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) socket.on('error', () => undefined).on('data', () => undefined)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write(`POST ${head}\r\nHost: x\r\nContent-Length: 30000\r\n\r\n{`)
  return sockets
}

test.each([
  ['JSON', '/api/v1/users/login HTTP/1.1\r\nContent-Type: application/json'],
  ['form', '/api/v1/users/login HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded'],
  ['registration', '/api/v1/users/register HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b'],
])('closes connections that trickle a %s body and serves others meanwhile', async (_, head) => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: requestsAtOnce } })
  onTestFinished(() => site.close())
  const { user } = await signUp(site)
  const sockets = await trickle(site, head)
  const trickling = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write(' ')), 500)
  onTestFinished(() => clearInterval(trickling))

  for (let request = 0; request < 10; request += 1) {
    expect((await site.client().get('/api/v1/video/all')).status).toBe(200)
    const credentials = { email: user.email, password: testPassword }
    expect((await site.client().post('/api/v1/users/login', credentials)).status).toBe(200)
  }
  await expect.poll(() => sockets.filter(({ closed }) => !closed).length).toBe(0)
})
