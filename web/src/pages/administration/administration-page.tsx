import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { toDecideQuery, totalOf } from '../../features/operations/administration/to-decide/api.ts'
import { settings } from '../../lib/settings.ts'
import { type AdministrationPage as Page, paths } from '../../paths.ts'
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

/** Pages for administrators only. */
export function AdministratorsOnly() {
  const { authData } = useAuth()
  const isAdministrator = authData && hasRole(authData.role, 'administrator')
  return isAdministrator ? <Outlet /> : <Navigate to={paths.notFound()} replace />
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
  const { data: waiting } = useQuery(toDecideQuery)
  const partsOf = (parts: [label: string, page: Page][]) =>
    parts.map(([label, page]) => ({ label, to: paths.administrationOf(page) }))
  const sections = [
    {
      label: t`To decide`,
      to: paths.administrationOf('to-decide'),
      count: waiting && totalOf(waiting),
      parts: partsOf([
        [t`Everything`, 'to-decide'],
        [t`Reports`, 'reports'],
      ]),
    },
    {
      label: t`People`,
      to: paths.administrationOf('people'),
      parts: partsOf([
        [t`Accounts`, 'people'],
        [t`Invitations`, 'invitations'],
      ]),
    },
    {
      label: t`Content`,
      to: paths.administrationOf('videos'),
      parts: partsOf([
        [t`Videos`, 'videos'],
        [t`Comments`, 'comments'],
        ...(isAdministrator ? ([[t`Folders`, 'folders']] satisfies [string, Page][]) : []),
        ...(settings.live ? [[t`Live`, 'live'] as [string, Page]] : []),
      ]),
    },
    ...(isAdministrator ? [{ label: t`Site`, to: paths.administrationOf('settings') }] : []),
    {
      label: t`Operation`,
      to: paths.administrationOf('overview'),
      parts: isAdministrator
        ? partsOf([
            [t`Overview`, 'overview'],
            [t`Storage`, 'storage'],
            [t`Backups`, 'backups'],
            [t`Jobs`, 'jobs'],
            [t`Audit log`, 'audit-log'],
          ])
        : [],
    },
  ]
  return <SectionNav label={t`Administration`} sections={sections} />
}
