import fastCheck from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { decodeCursor, decodeParts, encodeCursor } from './cursor.ts'

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

function partsOrCode(text: string, kinds: Parameters<typeof decodeParts>[1]): unknown {
  try {
    return decodeParts(text, kinds)
  } catch (error) {
    return error instanceof AppError && error.code
  }
}

test('parses any text to parts of the expected kinds, or rejects it', () => {
  const patterns = {
    time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    id: /^[\w-]{1,64}$/,
    number: /^\d{1,15}$/,
    countedId: /^\d{1,9}-[\w-]{1,64}$/,
  }
  const part = fastCheck.oneof(instant, id, fastCheck.nat().map(String), fastCheck.string())
  const text = fastCheck.oneof(
    fastCheck.string(),
    fastCheck.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
    fastCheck
      .array(part, { maxLength: 4 })
      .map((parts) => Buffer.from(parts.join('|')).toString('base64url')),
  )
  const lists = [
    ['time', 'id'],
    ['time', 'number'],
    ['time', 'countedId'],
    ['number', 'time', 'id'],
  ] as const
  fastCheck.assert(
    fastCheck.property(text, fastCheck.constantFrom(...lists), (cursor, kinds) => {
      const parts = partsOrCode(cursor, kinds)
      const areOfKinds = (found: string[]) =>
        found.length === kinds.length && kinds.every((kind, index) => patterns[kind].test(found[index] ?? ''))
      expect(parts === 'invalid' || (Array.isArray(parts) && areOfKinds(parts))).toBe(true)
    }),
  )
})

test('reads no cursor as the beginning of a list', () => {
  expect(decodeCursor(undefined)).toBeUndefined()
})
