/** SQLSTATE foreign_key_violation. */
const state = '23503'

/** Whether a row could not be added because what it speaks of was deleted a moment before. */
export function isReferenceGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === state
}
