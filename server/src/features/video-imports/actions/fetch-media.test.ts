import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../../testing/servers/listen.ts'
import { temporaryDirectory } from '../../../testing/servers/start-site.ts'
import { fetchMedia } from './fetch-media.ts'

let requests = 0
const server = createServer((_, response) => {
  requests += 1
  response.writeHead(200, { 'content-length': 10 }).end('0123456789')
})
let origin: string
beforeAll(async () => {
  origin = await listen(server)
})
afterAll(() => server.close())

const config = { importAllowedAddresses: ['127.0.0.1'], uploadMaxBytes: 100, acceptedContainers: [] }

test('ends with the error of its caller, without another request', async () => {
  const error = new Error('The import was stopped')
  const fetched = fetchMedia(config, {
    url: `${origin}/clip.mp4`,
    file: join(temporaryDirectory(), 'clip'),
    signal: AbortSignal.timeout(60_000),
    onProgress: () => Promise.reject(error),
  })
  await expect(fetched).rejects.toBe(error)
  expect(requests).toBe(1)
})

test('gives up a server that is too slow after its grace period, without another request', async () => {
  requests = 0
  const fetched = fetchMedia(config, {
    url: `${origin}/clip.mp4`,
    file: join(temporaryDirectory(), 'clip'),
    signal: AbortSignal.timeout(60_000),
    onProgress: () => Promise.resolve(),
    slowness: { bytesPerSecond: 1e9, graceSeconds: 0 },
  })
  await expect(fetched).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The server sends the file too slowly. Upload it instead.',
  })
  expect(requests).toBe(1)
})
