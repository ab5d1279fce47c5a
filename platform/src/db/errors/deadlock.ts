import { codeOf } from '../../errors.ts'
import { sqlstate } from './sqlstate.ts'

const attempts = 5

/** Whether PostgreSQL aborted a transaction to resolve a deadlock. The transaction can be retried. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === sqlstate.deadlockDetected
}

/** Retries a transaction after a deadlock. For transactions that lock many rows in no fixed order. */
export async function retryDeadlocks<Result>(run: () => Promise<Result>, left = attempts): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isDeadlock(error) || left <= 1) throw error
    return retryDeadlocks(run, left - 1)
  }
}
