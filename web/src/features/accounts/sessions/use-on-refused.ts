import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { authQuery, isSessionOver, recheckAuth, signedOut } from './api.ts'

/** Handles a rejected action: if the session has ended, opens the login page, unless the page was left meanwhile. */
export function useOnRefused(): (error: unknown) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  async function leave() {
    const { authStatus } = await recheckAuth(client)
    if (!isMounted.current) return
    // The rejected call decides, even if the session check disagrees.
    if (authStatus) client.setQueryData(authQuery.queryKey, signedOut)
    await navigate(paths.login())
  }
  return (error) => {
    if (isSessionOver(error)) void leave()
  }
}
