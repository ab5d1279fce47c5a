import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { loginState } from '../../../lib/login-reason.ts'
import { paths } from '../../../paths.ts'
import { authQuery, isSessionOver, recheckAuth, signedOut } from './api.ts'

/**
 * Handles a rejected action: if the session has ended, opens the login page, unless the page was left meanwhile. `title` is
 * that of its video.
 */
export function useOnRefused(title = ''): (error: unknown) => void {
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
    const path = location.pathname + location.search
    await navigate(paths.login(), { state: loginState({ wish: 'page', title, path }) })
  }
  return (error) => {
    if (isSessionOver(error)) void leave()
  }
}
