/** SQLSTATE deadlock_detected. */
const state = '40P01'

const attempts = 5

/** Whether PostgreSQL ended a transaction because it and another one waited for each other; done again, it goes through. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === state
}

/**
 * Runs a transaction again that lost to another one. For what takes the locks of many rows, in an order that others do
 * not keep to.
 */
export async function retryDeadlocks<Result>(run: () => Promise<Result>, left = attempts): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isDeadlock(error) || left <= 1) throw error
    return retryDeadlocks(run, left - 1)
  }
}
