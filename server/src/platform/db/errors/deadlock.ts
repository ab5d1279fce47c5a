/** SQLSTATE deadlock_detected. */
const state = '40P01'

const attempts = 5

/** Whether PostgreSQL aborted a transaction to resolve a deadlock. The transaction can be retried. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === state
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
