import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useMatch } from 'react-router'
import { type Auth, authQuery, unknownAuth } from './api.ts'

/** The auth state, with the channel currently viewed. */
export function useAuth(): Auth & { channelUsername: string | null } {
  const { data = unknownAuth } = useQuery(authQuery)
  const channelUsername = useMatch('/c/:channelId/*')?.params.channelId ?? null
  return { ...data, channelUsername }
}

/** Asks again who is signed in when a page opens that was told "nobody". */
export function useAuthRecheck(): void {
  const client = useQueryClient()
  useEffect(() => {
    if (client.getQueryData(authQuery.queryKey)?.authStatus === false) {
      void client.refetchQueries({ queryKey: authQuery.queryKey, exact: true })
    }
  }, [client])
}

/** After a check that failed for lack of a network or a server, the next navigation tries again. */
export function useAuthRecovery(): void {
  const client = useQueryClient()
  const { pathname } = useLocation()
  useEffect(() => {
    if (client.getQueryData(authQuery.queryKey)?.mayRecover) {
      void client.refetchQueries({ queryKey: authQuery.queryKey, exact: true })
    }
    // Each new place is a new occasion; the effect reads nothing of it.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, pathname])
}

/** Usernames are the same without regard to case. */
export function isSameUsername(a: string | null | undefined, b: string | null | undefined): boolean {
  return a != null && b != null && a.toLowerCase() === b.toLowerCase()
}
