import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { LanguageChoice } from './language-choice.tsx'

/** Links about the site, its contact, and the language of its pages. */
export function SiteLinks({
  className,
  onNavigate,
}: {
  className?: string | undefined
  onNavigate?: (() => void) | undefined
}) {
  const { siteName, siteContact, hasRules } = useSettings()
  return (
    <div className={className}>
      <div>
        <Link to={paths.about()} onClick={onNavigate}>{t`About ${siteName}`}</Link>
        {hasRules && <Link to={paths.rules()} onClick={onNavigate}>{t`Rules`}</Link>}
        <Link to={paths.privacy()} onClick={onNavigate}>{t`Privacy`}</Link>
        {/* The reference is a page of the server, not of this application. */}
        <a href={paths.apiDocs()}>{t`API`}</a>
      </div>
      {siteContact !== '' && <span>{t`Contact: ${siteContact}`}</span>}
      <LanguageChoice />
    </div>
  )
}
