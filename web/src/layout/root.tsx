import { t } from '@lingui/core/macro'
import { Outlet, ScrollRestoration } from 'react-router'
import { useAuthRecovery } from '../features/sessions/use-auth.ts'
import { PageTitle } from '../ui/page-title.tsx'
import styles from './root.module.css'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useScrollAfterReload } from './use-scroll-after-reload.ts'

/** Invisible parts of every page: skip link, scroll restoration, focus, session recovery. */
export function Root() {
  useAuthRecovery()
  useFocusOnNavigation()
  useScrollAfterReload()
  return (
    <>
      <PageTitle />
      <a className={styles['skip']} href="#main">{t`Skip to content`}</a>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}
