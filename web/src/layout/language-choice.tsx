import { t } from '@lingui/core/macro'
import { putLanguage } from '@kinora/contract/calls/users.ts'
import { call } from '@kinora/contract/client.ts'
import { isLanguage, type Language, languages } from '@kinora/contract/languages.ts'
import { Languages } from 'lucide-react'
import { useAuth } from '../features/sessions/use-auth.ts'
import { pageLanguage, setLanguage } from '../lib/i18n/language.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './language-choice.module.css'

/** The language of the interface in this browser and of the account. Choosing another one loads the page again. */
export function LanguageChoice() {
  const { authStatus } = useAuth()

  async function choose(language: Language) {
    // Without an answer, this browser has the language until it hears of another one of the account.
    if (authStatus) await call(putLanguage, { body: { language } }).catch(() => {})
    setLanguage(language)
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
    </span>
  )
}
