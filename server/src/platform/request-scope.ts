import { AsyncLocalStorage } from 'node:async_hooks'

/** The request on whose behalf something is done, here or later in a job. */
const scope = new AsyncLocalStorage<string>()

/** The id of that request; undefined outside of any. */
export const currentRequestId = (): string | undefined => scope.getStore()

/** Runs `work`, and all that it begins, on behalf of a request. */
export function onBehalfOf<T>(requestId: string, work: () => T): T {
  return scope.run(requestId, work)
}
