import { errors } from '@kinora/contract/errors.ts'
import { AppError, codeOf } from '../errors.ts'

/** Codes of the operating system (full disk, exceeded quota) and of PostgreSQL. */
const codes = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whether a disk is full, the one of this machine or of the database. */
export function isDiskFull(error: unknown): boolean {
  return codes.has(codeOf(error) ?? '')
}

export const noRoom = (cause: unknown) => new AppError(errors.diskFull, { cause })
