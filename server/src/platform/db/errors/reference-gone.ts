/** SQLSTATE foreign_key_violation. */
const state = '23503'

/** Whether an insert failed because the referenced row was deleted. */
export function isReferenceGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === state
}
