import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useMatch } from 'react-router'
import { useAuth, useAuthRecovery } from '../features/accounts/sessions/use-auth.ts'
import { setLanguage } from '../lib/i18n/language.ts'
import { PageTitle } from '../ui/page-title.tsx'
import styles from './root.module.css'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useScrollAfterReload } from './use-scroll-after-reload.ts'

/** Shows pages in the language that the account has chosen in another browser. */
function useLanguageOfAccount() {
  const language = useAuth().authData?.language
  useEffect(() => {
    if (language) setLanguage(language)
  }, [language])
}

/** Invisible parts of every page: skip link, scroll restoration, focus, session recovery. */
export function Root() {
  useAuthRecovery()
  useLanguageOfAccount()
  useFocusOnNavigation()
  useScrollAfterReload()
  const isEmbedded = useMatch('/embed/:videoId') !== null
  return (
    <>
      <PageTitle />
      {/* In a frame there is nothing to skip. */}
      {!isEmbedded && <a className={styles['skip']} href="#main">{t`Skip to content`}</a>}
      <Outlet />
      <ScrollRestoration />
    </>
  )
}
