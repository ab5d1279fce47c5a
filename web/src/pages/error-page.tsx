import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent } from 'react'
import { Link, useLocation, useNavigate, useRouteError } from 'react-router'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { stepsBack } from '../lib/browser/go-back.ts'
import { PageFileError, restartAfterUpdate } from '../lib/browser/load-page.ts'
import { useOnline } from '../lib/browser/use-online.ts'
import { failedPathOf, missingPathOf } from '../lib/failed-page.ts'
import { loginState } from '../lib/login-reason.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import styles from './error-page.module.css'

const FRAMES = 5

/**
 * Error page for unknown addresses, /notfound, and pages that failed to render. A page that failed for lack of a network or
 * a server can be opened again, and opens back online. Outside the page frame it has its own margins.
 */
export function ErrorPage({ isFramed = true }: { isFramed?: boolean }) {
  const navigate = useNavigate()
  const error = useRouteError()
  const { pathname, search, state } = useLocation()
  const failedPath = error instanceof PageFileError ? pathname + search : failedPathOf(state)
  const missingPath = missingPathOf(state)
  const isOnline = useOnline()
  const { authStatus } = useAuth()

  useEffect(() => {
    if (error instanceof PageFileError) void restartAfterUpdate()
  }, [error])

  function retry() {
    if (failedPath !== undefined) void navigate(failedPath, { replace: true })
  }
  const onOnline = useEffectEvent(retry)
  useEffect(() => {
    const listener = () => onOnline()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [])

  function goBack() {
    const steps = stepsToLastPage()
    void (steps === undefined ? navigate(paths.home(), { replace: true }) : navigate(-steps))
  }

  return (
    <div className={clsx(styles['page'], !isFramed && styles['bare'])}>
      <PageTitle title={t`Page not available`} />
      <div className={styles['strip']} aria-hidden="true">
        {Array.from({ length: FRAMES }, (_, index) => (
          <span key={index} />
        ))}
      </div>
      <h1 className={styles['heading']}>
        <span>{t`This page isn't available,`}</span> <span>{t`Try searching for something else`}</span>
      </h1>
      {failedPath !== undefined && (
        <p className={styles['reason']} role="status">
          {isOnline
            ? t`The server did not answer as it should. Try again in a moment.`
            : t`You are offline. The page opens when the connection is back.`}
        </p>
      )}
      {authStatus === false && failedPath === undefined && pathname === paths.notFound() && (
        <p className={styles['reason']}>
          <Trans>
            It may be for members.{' '}
            <Link
              to={paths.login()}
              state={missingPath && loginState({ wish: 'page', title: '', path: missingPath })}
            >
              Log in
            </Link>{' '}
            to see it.
          </Trans>
        </p>
      )}
      <div className={styles['actions']}>
        <Button variant="solid" onClick={goBack}>{t`Go Back`}</Button>
        {failedPath !== undefined && <Button onClick={retry}>{t`Try again`}</Button>}
      </div>
    </div>
  )
}

function stepsToLastPage(): number | undefined {
  const current = { pathname: location.pathname, index: 0 }
  if ('navigation' in window) {
    const entries = navigation.entries().map((entry) => ({
      pathname: entry.url ? new URL(entry.url).pathname : '',
      index: entry.index,
    }))
    return stepsBack(entries, { ...current, index: navigation.currentEntry?.index ?? 0 }, paths.notFound())
  }
  // Without the Navigation API, the router's history index shows whether a previous page belongs to this site.
  const state: unknown = history.state
  const index = typeof state === 'object' && state !== null && 'idx' in state ? Number(state.idx) : 0
  return index > 0 ? 1 : undefined
}
