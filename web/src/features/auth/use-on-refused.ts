import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { authQuery, isSessionOver, recheckAuth, signedOut } from './api.ts'

/**
 * What to do about a refused act: one whose session is over, as who is signed out, is led to where one signs in, unless
 * they have left the page meanwhile.
 */
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
    // Whatever another call says: this one took its caller for nobody.
    if (authStatus) client.setQueryData(authQuery.queryKey, signedOut)
    await navigate(paths.login())
  }
  return (error) => {
    if (isSessionOver(error)) void leave()
  }
}
