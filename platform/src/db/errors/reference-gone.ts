import { codeOf } from '../../errors.ts'
import { sqlstate } from './sqlstate.ts'

/** Whether an insert failed because the referenced row was deleted. */
export function isReferenceGone(error: unknown): boolean {
  return codeOf(error) === sqlstate.foreignKeyViolation
}
