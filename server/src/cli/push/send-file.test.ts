import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { expect, onTestFinished, test } from 'vitest'
import { sendFile } from './send-file.ts'

test('continues an upload whose connection went silent', async () => {
  const methods: string[] = []
  const file = join(temporaryDirectory(), 'tides.mp4')
  writeFileSync(file, 'tide table')
  const server = createServer((request, response) => {
    const { method = '' } = request
    const isFirst = !methods.includes(method)
    methods.push(method)
    if (method === 'PATCH' && isFirst) return
    const headers = { 'upload-offset': method === 'PATCH' ? '10' : '0', 'upload-length': '10' }
    request.resume().on('end', () => {
      response.writeHead(method === 'POST' ? 201 : 204, { location: '/uploads/abc', ...headers }).end()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  let interruptions = 0
  const url = await sendFile(file, {
    site: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: {},
    uploadUrl: undefined,
    stallMs: 300,
    onCreated: async () => undefined,
    onSent: () => undefined,
    onInterrupted: () => (interruptions += 1),
  })
  expect(url).toMatch(/\/uploads\/abc$/)
  expect(methods.slice(0, 2)).toEqual(['POST', 'PATCH'])
  expect(methods.at(-1)).toBe('PATCH')
  expect(interruptions).toBeGreaterThan(0)
})
