import { errors } from '@kinora/contract/errors.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { z } from 'zod'
import { AppError } from '@kinora/platform/errors.ts'
import { parseStorableJson } from '@kinora/platform/storable.ts'
import { toVtt } from '@kinora/media/captions/to-vtt.ts'
import { parseLists } from '../lists/parse-lists.ts'
import { parseRows } from '../lists/parse-rows.ts'
import { parseTable } from '../lists/parse-table.ts'
import { type DocumentName, documents, type ListName, lists } from './schemas.ts'
import { upgraded } from './upgraded.ts'

/** Largest text file that is parsed in one go. */
export const textMaxBytes = 32 * 1024 ** 2

/** Most values of a file, and of a file that has a row on each line. */
const maxValues = { ofText: 2_000_000, ofLines: 10_000_000 }
const maxDepth = 200

/** Rejected rows that are named; others are counted. */
const maxNamedRows = 2000

export type FileFormat =
  | { kind: 'document'; schema: DocumentName }
  | { kind: 'list'; schema: ListName }
  | { kind: 'table'; maxRows: number }
  | { kind: 'subscriptions' }
  | { kind: 'captions'; language: string }

export interface Contents {
  /** A single one for what is no list; none for subscriptions of an unknown format. */
  rows: unknown[]
  /** Numbers of rows that do not follow the schema, the first ones. */
  rejected: number[]
  moreRejected: number
}

/**
 * The contents of a file that anybody may have made, in any format of archives: the time and memory that this takes are
 * limited by the process that calls it. Throws `invalid` for a file that does not follow its format.
 */
export async function parseFile(name: string, bytes: Buffer, format: FileFormat): Promise<Contents> {
  switch (format.kind) {
    case 'document':
      return only(parseDocument(name, bytes, format.schema))
    case 'list':
      return parseList(name, bytes, format.schema)
    case 'table':
      return { ...only(), rows: await parseTable(bytes, format.maxRows) }
    case 'subscriptions': {
      assertFewValues(bytes, maxValues.ofText)
      return only(await parseLists(bytes.toString()))
    }
    case 'captions':
      return only(toVtt(bytes, format.language))
  }
}

const only = (row?: unknown): Contents => ({
  rows: row === undefined ? [] : [row],
  rejected: [],
  moreRejected: 0,
})

const notValid = (name: string) => new AppError(portabilityErrors.archiveFileInvalid, { name })

function parseDocument(name: string, bytes: Buffer, schema: DocumentName): unknown {
  const { success, data } = documents[schema].safeParse(upgraded(parseJson(bytes, maxValues.ofText)))
  if (!success) throw notValid(name)
  return data
}

function parseList(name: string, bytes: Buffer, schema: ListName): Contents {
  const { row: Row, field } = { field: undefined, ...lists[schema] }
  if (field !== undefined) {
    if (bytes.length > textMaxBytes) throw new AppError(errors.archiveFileTooLarge, { name })
    const parsed = z.object({ [field]: z.array(z.unknown()) }).safeParse(parseJson(bytes, maxValues.ofText))
    const rows = parseRows<unknown>(Row, parsed.data?.[field])
    if (!rows) throw notValid(name)
    return { ...only(), rows }
  }
  const contents = only()
  let number = 0
  for (const row of rowsOf(name, bytes)) {
    number += 1
    const { success, data } = Row.safeParse(upgraded(row))
    if (success) contents.rows.push(data)
    else if (contents.rejected.length < maxNamedRows) contents.rejected.push(number)
    else contents.moreRejected += 1
  }
  return contents
}

/** The rows of a JSON array, which is parsed row by row if it has one on each line. Throws `invalid` if it is no array. */
function* rowsOf(name: string, bytes: Buffer): Generator {
  if (bytes.length <= textMaxBytes) {
    const { success, data } = z.array(z.unknown()).safeParse(parseJson(bytes, maxValues.ofText))
    if (!success) throw notValid(name)
    return yield* data
  }
  assertFewValues(bytes, maxValues.ofLines)
  for (let start = 0, end; start < bytes.length; start = end + 1) {
    const newline = bytes.indexOf('\n', start)
    end = newline === -1 ? bytes.length : newline
    const line = end - start > textMaxBytes ? '' : bytes.toString('utf8', start, end)
    if ((line === '[' && start === 0) || line === ']') continue
    const row = parseStorableJson(line.replace(/,$/, ''))
    if (row === undefined) throw new AppError(errors.archiveFileTooLarge, { name })
    yield row
  }
}

function parseJson(bytes: Buffer, most: number): unknown {
  return assertFewValues(bytes, most) ? parseStorableJson(bytes.toString()) : undefined
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

/**
 * Counts the values of a JSON text before they take memory: millions of zeros need hundreds of times the bytes of the text.
 * Returns whether they are nested as deep as files of archives are at most. Throws `invalid` for too many.
 */
function assertFewValues(bytes: Buffer, most: number): boolean {
  let values = 1
  let depth = 0
  let isFlat = true
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === quote) at = endOfString(bytes, at)
    else if (byte === comma) values += 1
    else if (opening.has(byte)) {
      values += 1
      depth += 1
      if (depth > maxDepth) isFlat = false
    } else if (closing.has(byte)) depth -= 1
    if (values > most) throw new AppError(portabilityErrors.tooManyValues, { limit: most })
  }
  return isFlat
}

/** The place of the quote that ends a string. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}
