import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPiece, writePiece } from './live-pieces.ts'

const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const message = fc.record({
  kind: fc.constantFrom('audio' as const, 'video' as const),
  timestamp: uint32,
  body: fc.uint8Array({ maxLength: 40 }),
})
const piece = fc.record({
  endMs: uint32,
  isLast: fc.boolean(),
  messages: fc.array(message, { maxLength: 8 }),
})

test('reads what it writes', () => {
  fc.assert(
    fc.property(piece, (each) => {
      expect(readPiece(writePiece(each))).toEqual(each)
    }),
  )
})

test('reads no truncated or mutated piece beyond its end', () => {
  fc.assert(
    fc.property(piece, fc.nat(), fc.nat(255), fc.nat(), (each, at, value, length) => {
      const whole = writePiece(each)
      const bytes = whole.subarray(0, length % (whole.length + 1))
      if (bytes.length > 0) bytes[at % bytes.length] = value
      const read = readPiece(bytes)
      const size = (read?.messages ?? []).reduce((sum, { body }) => sum + body.length, 0)
      expect(size).toBeLessThanOrEqual(bytes.length)
    }),
  )
})
