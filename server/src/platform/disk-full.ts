import { AppError, codeOf } from './errors.ts'

/** Whether a disk, or somebody's share of it, has no room left. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
}

/** What a sender is told then. */
export const noRoom = (cause: unknown) =>
  new AppError('unavailable', 'There is no room left for this file on the server', { cause })
