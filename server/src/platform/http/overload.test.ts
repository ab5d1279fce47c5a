import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createTestApp } from '../../testing/test-app.ts'

test(
  'a flood is answered or put off, every part of it, and the next visitor is served',
  { timeout: 120_000 },
  async () => {
    const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '10' } })
    try {
      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, at) => site.client().get(`/api/v1/video/search/word${at}`)),
      )
      const statuses = new Set(answers.map(({ status }) => status))
      expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 503])
      for (const { status, headers, body } of answers) {
        expect([status, headers.get('retry-after'), body.success]).toEqual(
          status === 200 ? [200, null, true] : [503, '2', false],
        )
      }
      expect((await site.client().get('/api/v1/video/search/afterwards')).status).toBe(200)
    } finally {
      await site.close()
    }
  },
)

test('more requests at once than fit are put off, and taken again when there is room', async () => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '3' } })
  const { port } = new URL(site.origin)
  try {
    const busy = Array.from({ length: 3 }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of busy) {
      socket.write(
        'POST /api/v1/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
          'Content-Length: 2\r\nExpect: 100-continue\r\n\r\n',
      )
      // "go on" is said once a request is taken up
      await once(socket, 'data')
    }
    const refused = await site.client().get('/api/v1/video/all')
    expect([refused.status, refused.headers.get('retry-after'), refused.body.code]).toEqual([
      503,
      '2',
      'unavailable',
    ])
    expect((await site.client().get('/healthz')).status).toBe(200)
    busy[0]?.destroy()
    busy[1]?.end('{}')
    await vi.waitUntil(async () => (await site.client().get('/api/v1/video/all')).status === 200, 5000)
    for (const socket of busy) socket.destroy()
  } finally {
    await site.close()
  }
})
