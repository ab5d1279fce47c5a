import fastCheck from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'

const instant = fastCheck
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const id = fastCheck.stringMatching(/^[\w-]{1,64}$/)

test('round-trips a cursor as URL-safe text', () => {
  fastCheck.assert(
    fastCheck.property(instant, id, (at, rowId) => {
      const text = encodeCursor({ at, id: rowId })
      expect(encodeURIComponent(text)).toBe(text)
      expect(decodeCursor(text)).toEqual({ at, id: rowId })
    }),
  )
})

test('rejects malformed cursors', () => {
  const outcome = (text: string) => {
    try {
      return decodeCursor(text)
    } catch (error) {
      return error
    }
  }
  fastCheck.assert(
    fastCheck.property(
      fastCheck.oneof(
        fastCheck.string({ unit: 'binary' }),
        fastCheck.string().map((text) => Buffer.from(text).toString('base64url')),
        fastCheck
          .tuple(instant, fastCheck.string())
          .map(([at, rest]) => Buffer.from(`${at}|${rest}`).toString('base64url')),
      ),
      (text) => {
        const found = outcome(text)
        expect(found).toSatisfy(
          (value: unknown) =>
            (value instanceof Error && 'code' in value && value.code === 'invalid') ||
            (typeof value === 'object' && value !== null && 'at' in value && 'id' in value),
        )
      },
    ),
  )
  expect(decodeCursor(undefined)).toBeUndefined()
})
