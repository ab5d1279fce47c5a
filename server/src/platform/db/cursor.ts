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

/** Reads `?cursor=` and `?limit=`. Throws `invalid` for a malformed cursor. */
export function toPageRequest(
  query: { cursor?: string | undefined; limit?: number | undefined },
  defaultRows = defaultLimit,
): PageRequest {
  return { cursor: decodeCursor(query.cursor), limit: query.limit ?? defaultRows }
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
  return Buffer.from(`${cursor.at}|${cursor.id}`).toString('base64url')
}

/** Decodes a cursor; undefined stays undefined. Throws `invalid` for a malformed one. */
export function decodeCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [, at, id] =
    /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\|([\w-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (!at || !id || !isTimestamp(at)) throw invalidCursor()
  return { at, id }
}

export const invalidCursor = () =>
  new AppError('invalid', 'Invalid cursor.', { errors: [{ path: 'cursor', message: 'Invalid cursor.' }] })

/** Whether PostgreSQL accepts the timestamp. JavaScript also accepts year 0 and turns February 31 into March. */
function isTimestamp(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && !text.startsWith('0000')
}
