import { codeOf } from '../../errors.ts'
import { sqlstate } from './sqlstate.ts'

/** Whether a statement failed because PostgreSQL cannot store a character, e.g. U+0000. */
export function isUnstorableText(error: unknown): boolean {
  return codeOf(error) === sqlstate.characterNotInRepertoire
}
