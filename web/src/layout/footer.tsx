import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { Link } from 'react-router'
import { useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import styles from './footer.module.css'
import { LanguageChoice } from './language-choice.tsx'

/** One quiet line at the end of every page. */
export function Footer({ className }: { className?: string | undefined }) {
  const { siteName, hasRules } = useSettings()
  return (
    <footer className={clsx(styles['footer'], className)}>
      <div>
        <Link to={paths.about()}>{t`About ${siteName}`}</Link>
        {hasRules && <Link to={paths.rules()}>{t`Rules`}</Link>}
        <Link to={paths.privacy()}>{t`Privacy`}</Link>
        {/* The reference is a page of the server, not of this application. */}
        <a href={paths.apiDocs()}>{t`API`}</a>
      </div>
      <LanguageChoice />
      <span>{t`Self-hosted with Kinora.`}</span>
    </footer>
  )
}
