import { lazy } from 'react'
import { type RouteObject, useRoutes } from 'react-router'
import { ErrorPage } from '../error-page.tsx'
import { AdministrationPage, AdministratorsOnly } from './administration-page.tsx'
import { AuditLogPage } from './audit-log-page.tsx'
import { BackupsPage } from './backups-page.tsx'
import { CommentsPage } from './comments-page.tsx'
import { FoldersPage } from './folders-page.tsx'
import { InvitationsPage } from './invitations-page.tsx'
import { JobsPage } from './jobs-page.tsx'
import { OverviewPage } from './overview-page.tsx'
import { PeoplePage } from './people-page.tsx'
import { PersonPage } from './person-page.tsx'
import { ReportsPage } from './reports-page.tsx'
import { SettingsPage } from './settings-page.tsx'
import { StartPage } from './start-page.tsx'
import { StoragePage } from './storage-page.tsx'
import { ToDecidePage } from './to-decide-page.tsx'
import { VideosPage } from './videos-page.tsx'

const LivePage = lazy(async () => ({ default: (await import('../live-pages.tsx')).LivePage }))

/** Pages below `/administration`. */
export const administrationRoutes: RouteObject[] = [
  {
    element: <AdministrationPage />,
    children: [
      { index: true, element: <StartPage /> },
      { path: 'to-decide', element: <ToDecidePage /> },
      { path: 'overview', element: <OverviewPage /> },
      { path: 'reports', element: <ReportsPage /> },
      { path: 'invitations', element: <InvitationsPage /> },
      { path: 'people', element: <PeoplePage /> },
      { path: 'people/:username', element: <PersonPage /> },
      { path: 'videos', element: <VideosPage /> },
      { path: 'live', element: <LivePage /> },
      { path: 'comments', element: <CommentsPage /> },
      {
        element: <AdministratorsOnly />,
        children: [
          { path: 'settings/:section?', element: <SettingsPage /> },
          { path: 'storage', element: <StoragePage /> },
          { path: 'backups', element: <BackupsPage /> },
          { path: 'folders', element: <FoldersPage /> },
          { path: 'jobs', element: <JobsPage /> },
          { path: 'audit-log', element: <AuditLogPage /> },
        ],
      },
    ],
  },
  { path: '*', element: <ErrorPage /> },
]

export function AdministrationPages() {
  return useRoutes(administrationRoutes)
}
