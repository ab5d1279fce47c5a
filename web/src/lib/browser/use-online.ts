import { useSyncExternalStore } from 'react'

/** Whether the browser has a network connection. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

function subscribe(onChange: () => void): () => void {
  const listening = new AbortController()
  for (const event of ['online', 'offline']) addEventListener(event, onChange, { signal: listening.signal })
  return () => listening.abort()
}
