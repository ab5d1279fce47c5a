import { MutationCache, QueryCache, onlineManager, QueryClient } from '@tanstack/react-query'
import { isSessionOver, recheckAuth } from './features/accounts/sessions/api.ts'

/** Cache of server data. A call rejected with 401 triggers a session check. */
export function createQueryClient(): QueryClient {
  // assumed to be online otherwise, so that a page opened offline would not hear of its connection
  onlineManager.setOnline(navigator.onLine)
  const onError = (error: unknown) => {
    if (isSessionOver(error)) void recheckAuth(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Pages show failures immediately; calls made offline must fail instead of waiting. Back online, they are repeated.
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : false),
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
