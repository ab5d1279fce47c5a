import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '@kinora/platform/testing/listen.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { fetchMedia } from './fetch-media.ts'

/** Begins like an MP4. */
const media = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42'), Buffer.alloc(60, 'm')])

let requests = 0
const server = createServer(({ url }, response) => {
  requests += 1
  if (url === '/media.mp4') return response.writeHead(200, { 'content-length': media.length }).end(media)
  return response.writeHead(200, { 'content-length': 10 }).end('0123456789')
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

test('repeats writes that were short, as on a disk that is almost full', async () => {
  const file = join(temporaryDirectory(), 'media')
  await using handle = await open(`${file}.other`, 'w')
  const prototype = Object.getPrototypeOf(handle) as typeof handle
  const write = prototype.write as (...given: unknown[]) => unknown
  const spy = vi.spyOn(prototype, 'write').mockImplementation(function short(
    this: typeof handle,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) {
    return write.call(this, bytes, offset, Math.min(length, 7), position)
  } as typeof prototype.write)
  onTestFinished(() => spy.mockRestore())
  const { signal } = new AbortController()
  await fetchMedia(config, {
    url: `${origin}/media.mp4`,
    file,
    signal,
    onProgress: () => Promise.resolve(),
  })
  expect(await readFile(file)).toEqual(media)
})
