import { codeOf } from '../errors.ts'

/** For `catch` of a read: returns `value` if the file or directory does not exist, and rethrows every other failure. */
export function orWhenMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value
    throw error
  }
}
