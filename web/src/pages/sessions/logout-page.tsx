import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { logout } from '@kinora/contract/accounts/sessions.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { signOut } from '../../features/accounts/sessions/api.ts'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { deleteDrafts } from '../../lib/forms/drafts.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import styles from './logout-page.module.css'

/** Ends the session. Asks first if a link on another site opened the page. */
export function LogoutPage() {
  const { search, key } = useLocation()
  const [isAsking, setAsking] = useState(
    () => new URLSearchParams(search).has('confirm') || (key === 'default' && isForeign(document.referrer)),
  )
  return (
    <>
      <PageTitle title={t`Logout`} />
      {isAsking ? <LogoutConfirmation onConfirm={() => setAsking(false)} /> : <EndSession />}
    </>
  )
}

/** Fallback for plain http, where browsers do not send `Sec-Fetch-Site` to the server. */
function isForeign(referrer: string): boolean {
  return URL.canParse(referrer) && new URL(referrer).origin !== location.origin
}

function LogoutConfirmation({ onConfirm }: { onConfirm: () => void }) {
  return (
    <section className={styles['question']}>
      <h1>{t`Log out?`}</h1>
      <p>{t`A link on another site opened this page.`}</p>
      <div className={styles['choices']}>
        <Button variant="solid" onClick={onConfirm}>{t`Log out`}</Button>
        <Link className={buttonClass('quiet')} to={paths.home()} replace>{t`Stay logged in`}</Link>
      </div>
    </section>
  )
}

/** Ends the session and goes to the home page, also after a failed logout. */
function EndSession() {
  const client = useQueryClient()
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  const navigate = useNavigate()
  // React runs effects twice in development.
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current) return
    hasAsked.current = true
    void endSession(client, notifyOtherTabs).then(() => navigate(paths.home(), { replace: true }))
  }, [client, notifyOtherTabs, navigate])
  return <p role="status">{t`Logging out…`}</p>
}

async function endSession(client: QueryClient, notifyOtherTabs: () => void): Promise<void> {
  try {
    await call(logout, {})
  } catch (error) {
    return console.warn('Logout failed', error)
  }
  signOut(client)
  deleteDrafts()
  notifyOtherTabs()
}
