import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamEnded } from '../refusals.ts'
import { ChunkReader, messageTypes, writeMessage } from './chunks.ts'

const limits = { messageBytes: 64 * 1024, totalBytes: 128 * 1024, chunkStreams: 16 }
const setChunkSize = (size: number) => {
  const body = Buffer.alloc(4)
  body.writeUInt32BE(size)
  return writeMessage({ type: messageTypes.setChunkSize, streamId: 0, body }, 2, 128)
}

test('puts messages together, however their bytes arrive', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 500 }),
      (bodies, step) => {
        const sent = Buffer.concat(
          bodies.map((body) => writeMessage({ type: 9, streamId: 1, body: Buffer.from(body) }, 4, 128)),
        )
        const reader = new ChunkReader(limits)
        const received: Buffer[] = []
        for (let at = 0; at < sent.length; at += step)
          for (const { body } of reader.push(sent.subarray(at, at + step))) received.push(body)
        expect(received).toEqual(bodies.map((body) => Buffer.from(body)))
      },
    ),
  )
})

test('follows a new chunk size and extended timestamps', () => {
  const reader = new ChunkReader(limits)
  const large = Buffer.alloc(5000, 7)
  const bytes = Buffer.concat([
    setChunkSize(4096),
    writeMessage({ type: 9, streamId: 1, body: large }, 4),
    Buffer.from('05ffffff0000030901000000fffffff0', 'hex'),
    Buffer.from('abc'),
  ])
  const messages = [...reader.push(bytes)]
  expect(messages.map(({ body }) => body.length)).toEqual([4, 5000, 3])
  expect(messages[2]?.timestamp).toBe(0xff_ff_ff_f0)
})

test('refuses large messages, and many chunk streams', () => {
  const large = writeMessage({ type: 9, streamId: 1, body: Buffer.alloc(65_537) }, 4, 128)
  expect(() => [...new ChunkReader(limits).push(large)]).toThrow(StreamEnded)
  const many = Buffer.concat(
    Array.from({ length: 17 }, (_, id) =>
      writeMessage({ type: 9, streamId: 1, body: Buffer.alloc(300) }, id + 3, 128).subarray(0, 140),
    ),
  )
  expect(() => [...new ChunkReader(limits).push(many)]).toThrow(StreamEnded)
})

test('refuses tiny chunks, and many unfinished messages', () => {
  expect(() => [...new ChunkReader(limits).push(setChunkSize(1))]).toThrow(StreamEnded)
  expect([...new ChunkReader(limits).push(setChunkSize(128))]).toHaveLength(1)
  const reader = new ChunkReader(limits)
  const begin = (id: number) =>
    writeMessage({ type: 9, streamId: 1, body: Buffer.alloc(60_000) }, id, 128).subarray(0, 12)
  const unfinished = (id: number) => [...reader.push(Buffer.concat([begin(id), Buffer.alloc(128)]))]
  unfinished(4)
  unfinished(5)
  expect(() => unfinished(6)).toThrow(StreamEnded)
})

test('keeps little in memory for any bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 }), (pieces) => {
      const reader = new ChunkReader(limits)
      try {
        for (const piece of pieces)
          for (const { body } of reader.push(Buffer.from(piece)))
            expect(body.length).toBeLessThanOrEqual(limits.messageBytes)
      } catch (error) {
        if (!(error instanceof StreamEnded)) throw error
      }
    }),
  )
})
