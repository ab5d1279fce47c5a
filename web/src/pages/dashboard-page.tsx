import { Outlet } from 'react-router'

/** How one's own videos are doing; the upload and delete modals stand over it. */
export function DashboardPage() {
  return <Outlet />
}
