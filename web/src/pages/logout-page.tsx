import { call } from '@kinora/contract/client.ts'
import { logout } from '@kinora/contract/users.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '../features/auth/api.ts'
import { tellOtherTabs } from '../features/auth/other-tabs.ts'
import { forgetDrafts } from '../lib/drafts.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { paths } from '../paths.ts'

/** Ends the session and goes home; home is also where a failed logout leads, still signed in. */
export function LogoutPage() {
  useDocumentTitle('Logout')
  const client = useQueryClient()
  const navigate = useNavigate()
  // Effects run twice in development; one visit is one logout.
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current) return
    hasAsked.current = true
    void endSession(client).then(() => navigate(paths.home(), { replace: true }))
  }, [client, navigate])
  return <p role="status">Logging out..</p>
}

async function endSession(client: QueryClient): Promise<void> {
  try {
    await call(logout, {})
  } catch (error) {
    return console.warn('Logout failed', error)
  }
  signOut(client)
  forgetDrafts()
  tellOtherTabs()
}
