import { t } from '@lingui/core/macro'
import { Languages } from 'lucide-react'
import { pageLanguage, setLanguage } from '../lib/i18n/language.ts'
import { isLanguage, languages } from '../lib/i18n/languages.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './language-choice.module.css'

/** The language of the interface in this browser. Choosing another one loads the page again. */
export function LanguageChoice() {
  return (
    <span className={styles['choice']}>
      <Icon of={Languages} size={18} />
      <select
        aria-label={t`Language`}
        value={pageLanguage}
        onChange={({ target: { value } }) => isLanguage(value) && setLanguage(value)}
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
