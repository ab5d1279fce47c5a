import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../testing/servers/start-site.ts'
import { fetchMedia } from './fetch-media.ts'

let requests = 0
const server = createServer((_, response) => {
  requests += 1
  response.writeHead(200, { 'content-length': 10 }).end('0123456789')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

test('ends with the error of its caller, without another request', async () => {
  const error = new Error('The import was stopped')
  const config = { importAllowedAddresses: ['127.0.0.1'], uploadMaxBytes: 100, acceptedContainers: [] }
  const fetched = fetchMedia(config, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/clip.mp4`,
    file: join(temporaryDirectory(), 'clip'),
    signal: AbortSignal.timeout(60_000),
    onProgress: () => Promise.reject(error),
  })
  await expect(fetched).rejects.toBe(error)
  expect(requests).toBe(1)
})
