import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { authQuery, isSessionOver, signedOut } from './features/auth/api.ts'

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
