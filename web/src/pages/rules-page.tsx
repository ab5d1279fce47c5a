import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { siteQuery } from '../features/operations/site/api.ts'
import { settings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { LinkifiedText } from '../ui/text/linkified-text.tsx'
import styles from './about-page.module.css'

/** The rules of the site. A site without rules has no such page. */
export function RulesPage() {
  const { data: site, isError, refetch } = useQuery(siteQuery)
  if (site?.siteRules === '') return <Navigate to={paths.notFound()} replace />
  return (
    <div className={styles['about']}>
      <PageTitle title={t`Rules`} />
      <h1>{t`Rules of ${settings.siteName}`}</h1>
      {isError && !site && <LoadFailure title={t`Could not load the rules`} onRetry={() => void refetch()} />}
      {!isError && !site && <Skeleton width="100%" height={160} />}
      {site && (
        <p className={styles['text']}>
          <LinkifiedText text={site.siteRules} />
        </p>
      )}
    </div>
  )
}
