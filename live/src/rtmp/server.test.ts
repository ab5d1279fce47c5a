import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { createLog } from '@kinora/platform/log.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { afterAll, expect, test } from 'vitest'
import { StreamEnded } from '../refusals.ts'
import { configs, frames } from '../testing/flv.ts'
import { encodeAmf } from './amf.ts'
import { messageTypes, writeMessage } from './chunks.ts'
import { listenForEncoders, type MediaMessage, type Publication, type RtmpServer } from './server.ts'

const log = createLog('silent', 'test')
const servers: RtmpServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** A server that accepts the key `right`. It waits for `store` before it takes the next message. */
async function listen(store: () => Promise<unknown> = async () => undefined) {
  const received: MediaMessage[] = []
  const closed: string[] = []
  const ends: AbortController[] = []
  const server = await listenForEncoders(
    { host: '127.0.0.1', port: 0 },
    async ({ key }): Promise<Publication> => {
      if (key !== 'right') throw new StreamEnded('key_unknown')
      const end = new AbortController()
      ends.push(end)
      return {
        signal: end.signal,
        receive: async (message) => {
          received.push(message)
          await store()
        },
        close: async (reason) => void closed.push(reason),
      }
    },
    log,
  )
  servers.push(server)
  return { server, received, closed, ends }
}

const command = (...values: Parameters<typeof encodeAmf>[0]) =>
  writeMessage({ type: messageTypes.command, streamId: 0, body: encodeAmf(values) }, 3, 128)
const handshake = Buffer.concat([Buffer.from([3]), Buffer.alloc(1536), Buffer.alloc(1536)])
const publish = (key: string) =>
  Buffer.concat([
    command('connect', 1, { app: 'live' }),
    command('createStream', 2, null),
    command('publish', 3, null, key, 'live'),
  ])

/** Sends bytes, and returns everything received until the server closes the connection. */
async function send(port: number, bytes: Buffer, { ends = false } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  const isClosed = once(socket, 'close')
  socket.write(bytes)
  if (ends) socket.end()
  await isClosed
  return Buffer.concat(chunks).toString('latin1')
}

const media = () =>
  [...configs(), ...frames(1)].map(({ kind, body }) =>
    writeMessage({ type: messageTypes[kind], streamId: 1, body }, kind === 'audio' ? 4 : 6, 128),
  )

test('receives a stream, and tells why it ended', async () => {
  const { server, received, closed } = await listen()
  const bytes = Buffer.concat([handshake, publish('right'), ...media(), command('deleteStream', 4, null, 1)])
  expect(await send(server.port, bytes)).toContain('NetStream.Publish.Start')
  expect(received).toHaveLength(media().length)
  expect(closed).toEqual(['stopped'])
})

test('checks the key before anything is accepted', async () => {
  const { server, received } = await listen()
  const answer = await send(server.port, Buffer.concat([handshake, publish('wrong'), ...media()]))
  expect(answer).toContain('NetStream.Publish.BadName')
  expect(answer).not.toContain('NetStream.Publish.Start')
  expect(received).toEqual([])
})

test('refuses media before a key, and large messages', async () => {
  const { server, received } = await listen()
  await send(server.port, Buffer.concat([handshake, command('connect', 1, { app: 'live' }), ...media()]))
  const large = writeMessage({ type: messageTypes.video, streamId: 1, body: Buffer.alloc(70_000) }, 6, 128)
  await send(server.port, Buffer.concat([handshake, large]))
  expect(received).toEqual([])
})

test('ends a stream with a sentence for the encoder', async () => {
  const { server, ends, closed } = await listen()
  const answer = send(server.port, Buffer.concat([handshake, publish('right'), ...media()]))
  await expect.poll(() => ends.length).toBe(1)
  ends[0]?.abort(new StreamEnded('taken_down'))
  expect(await answer).toContain('The video was taken down.')
  await expect.poll(() => closed).toEqual(['taken_down'])
})

test('counts connections that do not finish the handshake of TLS', async () => {
  const options = { host: '127.0.0.1', port: 0, tls: {} }
  const server = await listenForEncoders(options, () => Promise.reject(new StreamEnded('failed')), log)
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const isClosed = once(socket, 'close')
  // waits for all of them
  await server.close()
  await isClosed
  expect(socket.destroyed).toBe(true)
})

test('takes no more from an encoder than its recording can store', async () => {
  const stored = Promise.withResolvers<void>()
  const { server, received } = await listen(() => stored.promise)
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  const large = writeMessage(
    { type: messageTypes.video, streamId: 1, body: Buffer.alloc(2 ** 18, 5) },
    6,
    2 ** 20,
  )
  const chunkSize = Buffer.alloc(4)
  chunkSize.writeUInt32BE(2 ** 20)
  const size = writeMessage({ type: messageTypes.setChunkSize, streamId: 0, body: chunkSize }, 2, 128)
  socket.write(Buffer.concat([handshake, publish('right'), size]))
  // more than the buffers of the kernel hold
  const count = 120
  for (let i = 0; i < count; i += 1) socket.write(large)
  await expect.poll(() => received.length).toBe(1)
  let before = Number.NaN
  const isStill = () => before === (before = socket.writableLength)
  await expect.poll(isStill, { interval: 200 }).toBe(true)
  expect(before).toBeGreaterThan((count / 2) * large.length)
  stored.resolve()
  await expect.poll(() => received.length).toBe(count)
  socket.destroy()
})

for (const numRuns of [60, 2000])
  test(`survives any bytes (${numRuns} cases)`, nightlyUnless(numRuns === 60), async () => {
    const { server, received } = await listen()
    const good = Buffer.concat([handshake, publish('right'), ...media()])
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 20 }),
        fc.nat(good.length),
        async (edits, length) => {
          const bytes = Buffer.from(good.subarray(0, length))
          for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value
          await send(server.port, bytes, { ends: true })
        },
      ),
      { numRuns },
    )
    received.length = 0
    await send(server.port, good, { ends: true })
    expect(received).toHaveLength(media().length)
  })
