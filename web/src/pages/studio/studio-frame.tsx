import { t } from '@lingui/core/macro'
import { type ReactNode } from 'react'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { SectionNav } from '../../ui/section-nav.tsx'
import styles from './studio-page.module.css'

/** The place of a creator: its heading and sections around one of them. */
export function StudioFrame({ title, children }: { title?: string; children: ReactNode }) {
  const sections = [
    { label: t`Videos`, to: paths.studio() },
    { label: t`Comments`, to: paths.studioComments() },
    { label: t`Analytics`, to: paths.analytics() },
    ...(settings.importByAddress ? [{ label: t`Import`, to: paths.videoImports() }] : []),
  ]
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={title === undefined ? t`Studio` : t`${title} · Studio`} />
      <h1 className={styles['heading']}>{t`Studio`}</h1>
      <SectionNav label={t`Studio`} sections={sections} />
      {children}
    </MembersOnly>
  )
}
