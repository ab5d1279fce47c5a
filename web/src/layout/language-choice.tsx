import { t } from '@lingui/core/macro'
import { putLanguage } from '@kinora/contract/accounts/users.ts'
import { call } from '@kinora/contract/client.ts'
import { isLanguage, type Language, languages } from '@kinora/contract/languages.ts'
import { Languages } from 'lucide-react'
import { useState } from 'react'
import { isSessionOver } from '../features/accounts/sessions/api.ts'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { pageLanguage, setLanguage } from '../lib/i18n/language.ts'
import { notSavedTitle } from '../ui/feedback/not-saved.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './language-choice.module.css'

/** The language of the interface in this browser and of the account. Choosing another one loads the page again. */
export function LanguageChoice() {
  const { authStatus } = useAuth()
  const [hasFailed, setHasFailed] = useState(false)

  async function choose(language: Language) {
    setHasFailed(false)
    try {
      // The page follows the account, so a language that it did not get would not stay.
      if (authStatus) await call(putLanguage, { body: { language } })
      setLanguage(language)
    } catch (error) {
      // After the end of a session the page follows the browser.
      if (isSessionOver(error)) setLanguage(language)
      else setHasFailed(true)
    }
  }

  return (
    <span className={styles['choice']}>
      <Icon of={Languages} size={18} />
      <select
        aria-label={t`Language`}
        value={pageLanguage}
        onChange={({ target: { value } }) => isLanguage(value) && void choose(value)}
      >
        {Object.entries(languages).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
      {hasFailed && <span role="alert">{notSavedTitle(hasFailed)}</span>}
    </span>
  )
}
