import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSessionOver, recheckAuth } from './features/auth/api.ts'

/** The one cache of server data. When a call is refused for want of a session, it is asked whether there still is one. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionOver(error)) void recheckAuth(client)
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
