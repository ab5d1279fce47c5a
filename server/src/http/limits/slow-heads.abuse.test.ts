import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { createTestApp } from '../../testing/fixtures/test-app.ts'

const connections = attackSize({ short: 100, full: 3000 })

test(`${connections} connections that never finish their headers do not delay others`, async () => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '20' } })
  onTestFinished(() => site.close())
  const port = Number(new URL(site.origin).port)
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'))
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write('GET /api/v1/video/all HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  for (let request = 0; request < 10; request += 1) {
    expect((await site.client().get('/api/v1/video/all')).status).toBe(200)
  }
})
