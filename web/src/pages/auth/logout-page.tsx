import { call } from '@kinora/contract/client.ts'
import { logout } from '@kinora/contract/users.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { signOut } from '../../features/auth/api.ts'
import { notifyOtherTabs } from '../../features/auth/session-broadcast.ts'
import { forgetDrafts } from '../../lib/forms/drafts.ts'
import { useDocumentTitle } from '../../lib/browser/use-document-title.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import styles from './logout-page.module.css'

/** Ends the session; asks first when a link on another site led here. */
export function LogoutPage() {
  useDocumentTitle('Logout')
  const { search, key } = useLocation()
  const [isAsking, setAsking] = useState(
    () => new URLSearchParams(search).has('confirm') || (key === 'default' && isForeign(document.referrer)),
  )
  return isAsking ? <LogoutConfirmation onConfirm={() => setAsking(false)} /> : <EndSession />
}

/** What browsers say of where a visit came from; the server knows it by `Sec-Fetch-Site`, except on plain http. */
function isForeign(referrer: string): boolean {
  return URL.canParse(referrer) && new URL(referrer).origin !== location.origin
}

function LogoutConfirmation({ onConfirm }: { onConfirm: () => void }) {
  return (
    <section className={styles['question']}>
      <h1>End your session?</h1>
      <p>A link on another site led here.</p>
      <div className={styles['choices']}>
        <Button variant="solid" onClick={onConfirm}>
          Yes, end it
        </Button>
        <Link className={buttonClass('quiet')} to={paths.home()} replace>
          No, keep it
        </Link>
      </div>
    </section>
  )
}

/** Ends the session and goes home; home is also where a failed logout leads, still signed in. */
function EndSession() {
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
  notifyOtherTabs()
}
