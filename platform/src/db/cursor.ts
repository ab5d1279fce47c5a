import { errors } from '@kinora/contract/errors.ts'
import { AppError } from '../errors.ts'

/** Position after a row of a list that is sorted by time and id, both descending. */
export interface Cursor {
  at: string
  id: string
}

/** At most `limit` rows after the cursor, or from the first row. */
export interface PageRequest {
  cursor: Cursor | undefined
  limit: number
}

export const defaultLimit = 200

/** Reads `?cursor=` and `?limit=`. Throws `invalid` for a malformed cursor. `idKind` is the kind of ids in cursors of the list. */
export function toPageRequest(
  query: { cursor?: string | undefined; limit?: number | undefined },
  defaultRows = defaultLimit,
  idKind: IdKind = 'id',
): PageRequest {
  return { cursor: decodeCursor(query.cursor, idKind), limit: query.limit ?? defaultRows }
}

/** Builds a page from `limit` + 1 rows; the extra row shows that there is a next page. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
  toCursor: (row: Row) => Cursor,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(toItem), nextCursor: last ? encodeCursor(toCursor(last)) : null }
}

/** Encodes a position as opaque, URL-safe text. `at` is an ISO timestamp with the precision of the column. */
export function encodeCursor(cursor: Cursor): string {
  return encodeParts([cursor.at, cursor.id])
}

/** Decodes a cursor; undefined stays undefined. Throws `invalid` for a malformed one. */
export function decodeCursor(text: string | undefined, idKind: IdKind = 'id'): Cursor | undefined {
  if (text === undefined) return undefined
  const [at, id] = decodeParts(text, ['time', idKind])
  return { at, id }
}

/** The kinds of parts in cursors: PostgreSQL accepts every text of a kind as a value of its type. */
const isOfKind = {
  time: isTimestamp,
  /** Text. */
  id: (text: string) => /^[\w-]{1,64}$/.test(text),
  /** A bigint. */
  number: (text: string) => /^\d{1,15}$/.test(text),
  /** An integer and a text. */
  countedId: (text: string) => /^\d{1,9}-[\w-]{1,64}$/.test(text),
} as const

type PartKind = keyof typeof isOfKind
type IdKind = Exclude<PartKind, 'time'>

export function encodeParts(parts: readonly (string | number)[]): string {
  return Buffer.from(parts.join('|')).toString('base64url')
}

/** Decodes a cursor with one part of each kind; the only parser of cursors. Throws `invalid` for a malformed one. */
export function decodeParts<const Kinds extends readonly PartKind[]>(
  text: string,
  kinds: Kinds,
): { [Index in keyof Kinds]: string } {
  const parts = Buffer.from(text, 'base64url').toString().split('|')
  if (parts.length !== kinds.length || !kinds.every((kind, index) => isOfKind[kind](parts[index] ?? ''))) {
    throw new AppError(errors.invalidCursor, {
      path: 'cursor',
    })
  }
  return parts as { [Index in keyof Kinds]: string }
}

/** Whether PostgreSQL accepts the timestamp. JavaScript also accepts year 0 and turns February 31 into March. */
function isTimestamp(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && /^(?!0000)\d{4}-/.test(text)
}
