/** SQLSTATE character_not_in_repertoire. */
const state = '22021'

/** Whether a statement failed because PostgreSQL cannot store a character, e.g. U+0000. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === state
}
