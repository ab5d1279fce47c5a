import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useMatch } from 'react-router'
import { useOnline } from '../../../lib/browser/use-online.ts'
import { type Auth, authQuery, unknownAuth } from './api.ts'

/** The auth state, with the channel currently viewed. */
export function useAuth(): Auth & { channelUsername: string | null } {
  const { data = unknownAuth } = useQuery(authQuery)
  const channelUsername = useMatch('/c/:channelId/*')?.params.channelId ?? null
  return { ...data, channelUsername }
}

/** Repeats the session check on pages where the specification requires it. */
export function useAuthRecheck(): void {
  const client = useQueryClient()
  const { data } = useQuery(authQuery)
  const hasChecked = useRef(false)
  const authStatus = data?.authStatus
  useEffect(() => {
    if (authStatus === undefined || hasChecked.current) return
    hasChecked.current = true
    if (!authStatus) void client.refetchQueries({ queryKey: authQuery.queryKey, exact: true })
  }, [client, authStatus])
}

/** A check that failed for lack of a network or a server is repeated at the next navigation, and back online. */
export function useAuthRecovery(): void {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const isOnline = useOnline()
  useEffect(() => {
    if (isOnline && client.getQueryData(authQuery.queryKey)?.mayRecover) {
      void client.refetchQueries({ queryKey: authQuery.queryKey, exact: true })
    }
    // Every navigation triggers the effect, which does not read the location.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, pathname, isOnline])
}

/** Compares usernames case-insensitively. */
export function isSameUsername(a: string | null | undefined, b: string | null | undefined): boolean {
  return a != null && b != null && a.toLowerCase() === b.toLowerCase()
}
