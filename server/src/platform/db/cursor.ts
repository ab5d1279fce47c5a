import { AppError } from '../errors.ts'

/** The position after one row of a list sorted by time and id, both descending. */
export interface Cursor {
  at: string
  id: string
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
  if (!at || !id || Number.isNaN(Date.parse(at))) {
    throw new AppError('invalid', 'The cursor is not one of ours', {
      errors: [{ path: 'cursor', message: 'The cursor is not one of ours' }],
    })
  }
  return { at, id }
}
