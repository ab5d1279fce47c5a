import { ApiError } from '@kinora/contract/client.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { authQuery, signedOut } from './features/auth/api.ts'

/** The one cache of server data. Any call refused for want of a session marks the browser signed out. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionOver(error)) client.setQueryData(authQuery.queryKey, signedOut)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Failures are answered by the page at once; offline must fail, not wait.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

function isSessionOver(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401) return false
  // Codes tell a lost session from a wrong password; a proxy's 401 carries none.
  return error.code === 'unauthenticated' || error.code === 'unknown'
}
