import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useEffect, useRef } from 'react'
import { Navigate, NavLink, Outlet, useLocation } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { paths } from '../../paths.ts'
import tabStyles from '../../features/accounts/users/channel-tabs.module.css'
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
  const ref = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
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
  // On phones the row scrolls; every navigation triggers the effect, which does not read the location.
  useEffect(() => {
    ref.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [pathname])
  return (
    <nav ref={ref} className={tabStyles['tabs']} aria-label={t`Administration`}>
      {tabs.map(({ label, to }) => (
        <NavLink key={to} to={to} end data-label={label} preventScrollReset>
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
