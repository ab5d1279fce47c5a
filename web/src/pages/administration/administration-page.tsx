import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { Navigate, Outlet } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { paths } from '../../paths.ts'
import { SectionNav } from '../../ui/section-nav.tsx'
import styles from './administration-page.module.css'

/** The pages of moderators and administrators. For everybody else they do not exist. */
export function AdministrationPage() {
  return (
    <MembersOnly skeleton={null}>
      <Administration />
    </MembersOnly>
  )
}

function Administration() {
  const { authData } = useAuth()
  if (!authData || !hasRole(authData.role, 'moderator')) return <Navigate to={paths.notFound()} replace />
  return (
    <>
      <h1 className={styles['heading']}>{t`Administration`}</h1>
      <Tabs isAdministrator={hasRole(authData.role, 'administrator')} />
      <div className={styles['page']}>
        <Outlet />
      </div>
    </>
  )
}

function Tabs({ isAdministrator }: { isAdministrator: boolean }) {
  const tabs = [
    { label: t`Overview`, to: paths.administration() },
    { label: t`Reports`, to: paths.administrationOf('reports') },
    { label: t`People`, to: paths.administrationOf('people') },
    { label: t`Videos`, to: paths.administrationOf('videos') },
    { label: t`Comments`, to: paths.administrationOf('comments') },
    { label: t`Invitations`, to: paths.administrationOf('invitations') },
    ...(isAdministrator
      ? [
          { label: t`Settings`, to: paths.administrationOf('settings') },
          { label: t`Jobs`, to: paths.administrationOf('jobs') },
          { label: t`Storage`, to: paths.administrationOf('storage') },
          { label: t`Backups`, to: paths.administrationOf('backups') },
          { label: t`Audit log`, to: paths.administrationOf('audit-log') },
        ]
      : []),
  ]
  return <SectionNav label={t`Administration`} sections={tabs} />
}
