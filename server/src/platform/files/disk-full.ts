import { AppError, codeOf } from '../errors.ts'

/** What the system, and PostgreSQL, say of a disk or somebody's share of it. */
const codes = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whether a disk has no room left, ours or that of the database. */
export function isDiskFull(error: unknown): boolean {
  return codes.has(codeOf(error) ?? '')
}

/** What a sender is told then. */
export const noRoom = (cause: unknown) =>
  new AppError('unavailable', 'There is no room left on the server', { cause })
