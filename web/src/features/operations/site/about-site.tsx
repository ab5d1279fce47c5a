import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { LinkifiedText } from '../../../ui/text/linkified-text.tsx'
import { siteQuery } from './api.ts'
import styles from './about-site.module.css'

/** Text of the operators about the site, if there is one. */
export function AboutSite() {
  const { data: site } = useQuery(siteQuery)
  if (!site || (site.siteAbout === '' && site.siteContact === '')) return null
  return (
    <div className={styles['text']}>
      {site.siteAbout !== '' && (
        <p>
          <LinkifiedText text={site.siteAbout} />
        </p>
      )}
      {site.siteContact !== '' && (
        <p>
          {t`Contact:`} <LinkifiedText text={site.siteContact} />
        </p>
      )}
    </div>
  )
}
