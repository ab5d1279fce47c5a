import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that caused the current work, here or in a job. */
const scope = new AsyncLocalStorage<string>()

/** Returns the id of the request that caused the current work; undefined without one. */
export const currentRequestId = (): string | undefined => scope.getStore()

/** Runs `work` in the scope of a request. */
export function onBehalfOf<T>(requestId: string, work: () => T): T {
  return scope.run(requestId, work)
}
