import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamEnded } from '../refusals.ts'
import { decodeAmf, encodeAmf } from './amf.ts'

test('reads what it writes', () => {
  const values = ['connect', 1, { app: 'live', tcUrl: 'rtmp://host/live', nested: { flag: true } }, null]
  expect(decodeAmf(encodeAmf(values))).toEqual(values)
})

test('refuses deep values', () => {
  let deep = {}
  for (let depth = 0; depth < 20; depth++) deep = { deep }
  expect(() => decodeAmf(encodeAmf([deep]))).toThrow(StreamEnded)
})

test('refuses an array that states more values than a message has', () => {
  expect(() => decodeAmf(Buffer.from('0affffffff', 'hex'))).toThrow(StreamEnded)
})

test('ends with a value or a refusal for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(isDecodedOrRefused(Buffer.from(bytes))).toBe(true)
    }),
  )
})

function isDecodedOrRefused(bytes: Buffer): boolean {
  try {
    decodeAmf(bytes)
    return true
  } catch (error) {
    return error instanceof StreamEnded
  }
}
