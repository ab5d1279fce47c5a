import { Outlet, ScrollRestoration } from 'react-router'
import { useAuthRecovery } from '../features/auth/use-auth.ts'
import styles from './root.module.css'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useScrollAfterReload } from './use-scroll-after-reload.ts'

/** What every page has in common and nobody sees: the skip link, scroll places, focus, the session's recovery. */
export function Root() {
  useAuthRecovery()
  useFocusOnNavigation()
  useScrollAfterReload()
  return (
    <>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}
