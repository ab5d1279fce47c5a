import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { FeedImports } from '../../features/portability/video-imports/feed-imports.tsx'
import { VideoImports } from '../../features/portability/video-imports/video-imports.tsx'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { ErrorPage } from '../error-page.tsx'
import styles from './studio-page.module.css'

/** Imports videos from addresses and of feeds, where the site allows it. */
export function StudioImportPage() {
  if (!settings.importByAddress) return <ErrorPage />
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Import · Studio`} />
      <Link className={styles['back']} to={paths.studio()}>{t`All videos`}</Link>
      <h1 className={styles['heading']}>{t`Import from an address`}</h1>
      <VideoImports />
      <FeedImports />
    </MembersOnly>
  )
}
