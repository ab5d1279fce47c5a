import { ApiError } from '@kinora/contract/client.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { authQuery, isSessionOver, signedOut } from './features/auth/api.ts'

/** The one cache of server data. Any call refused for want of a session marks the browser signed out. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionOver(error)) client.setQueryData(authQuery.queryKey, signedOut)
  }
  // What a form can show is shown: only a refusal that is surely about the session leads away from it.
  const onMutationError = (error: unknown, { meta }: { meta?: Record<string, unknown> | undefined }) => {
    if (!(meta?.['showsRefusal'] && error instanceof ApiError && error.code === 'unknown')) onError(error)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => onMutationError(error, mutation),
    }),
    defaultOptions: {
      // Failures are answered by the page at once; offline must fail, not wait.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
