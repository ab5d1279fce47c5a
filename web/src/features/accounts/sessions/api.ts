import { ApiError, call } from '@kinora/contract/client.ts'
import { type User, getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { authKey } from '../../../lib/query-keys.ts'
import { paths } from '../../../paths.ts'

/** Session state: `authStatus` is null while unknown. */
export type Auth = {
  authStatus: boolean | null
  authData: User | null
  /** The check failed for a reason other than a rejection, so a retry may help. */
  mayRecover?: boolean
}

export const unknownAuth: Auth = { authStatus: null, authData: null }
export const signedOut: Auth = { authStatus: false, authData: null }

/** The current user. Every failure, including network failures, counts as signed out. */
export const authQuery = queryOptions({
  queryKey: authKey,
  queryFn: fetchAuth,
  staleTime: Infinity,
  gcTime: Infinity,
})

/** Refetches the session; concurrent calls share one request. */
export async function recheckAuth(client: QueryClient): Promise<Auth> {
  await client.refetchQueries({ queryKey: authQuery.queryKey, exact: true }, { cancelRefetch: false })
  return client.getQueryData(authQuery.queryKey) ?? unknownAuth
}

/**
 * Stores the signed-in user and drops data fetched as another user. With an account that is being deleted, opens the only
 * page that its session opens.
 */
export function signIn(client: QueryClient, user: User): void {
  if (user.deletesAt !== undefined) return location.replace(paths.keepAccount())
  replaceAuth(client, { authStatus: true, authData: user })
}

/** Drops the user and all data fetched as them. */
export function signOut(client: QueryClient): void {
  replaceAuth(client, signedOut)
}

function replaceAuth(client: QueryClient, auth: Auth): void {
  // A pending check concerns the previous user.
  void client.cancelQueries({ queryKey: authQuery.queryKey, exact: true })
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== authQuery.queryKey[0] })
  client.setQueryData(authQuery.queryKey, auth)
}

async function fetchAuth(): Promise<Auth> {
  try {
    const user: User | null = await call(getCurrentUser, {})
    return user ? { authStatus: true, authData: user } : signedOut
  } catch (error) {
    return { ...signedOut, mayRecover: !(error instanceof ApiError && error.status === 401) }
  }
}

/** Whether a call was rejected because the session has ended. */
export function isSessionOver(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401) return false
  // The code distinguishes an ended session from a wrong password; a 401 of a proxy has no code.
  return error.code === 'unauthenticated' || error.code === 'unknown'
}
