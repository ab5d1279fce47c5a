import { AppError } from '../errors.ts'

/** The position after one row of a list sorted by time and id, both descending. */
export interface Cursor {
  at: string
  id: string
}

/** Which rows of a list: at most `limit` after the cursor, from the top without one. */
export interface PageRequest {
  cursor: Cursor | undefined
  limit: number
}

/** Rows of a page when the request names no limit. */
export const defaultLimit = 200

/** Reads `?cursor=` and `?limit=`. Throws `invalid` for a malformed cursor. */
export function toPageRequest(
  query: { cursor?: string | undefined; limit?: number | undefined },
  defaultRows = defaultLimit,
): PageRequest {
  return { cursor: decodeCursor(query.cursor), limit: query.limit ?? defaultRows }
}

/** A page out of the rows that were read, one more than asked for: that one tells whether the list goes on. */
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

/** Packs a position into opaque, URL-safe text. `at` is an ISO instant with the precision of the column. */
export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(`${cursor.at}|${cursor.id}`).toString('base64url')
}

/** Unpacks a cursor; undefined stays undefined. Throws `invalid` for anything that encodeCursor did not make. */
export function decodeCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [, at, id] =
    /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\|([\w-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (!at || !id || !isInstant(at)) {
    throw new AppError('invalid', 'The cursor is not one of ours', {
      errors: [{ path: 'cursor', message: 'The cursor is not one of ours' }],
    })
  }
  return { at, id }
}

/** Whether PostgreSQL reads it as well: JavaScript also knows a year 0 and moves a 31st of February. */
function isInstant(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && !text.startsWith('0000')
}
