import { Outlet } from 'react-router'
import { useAuth } from '../features/auth/use-auth.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'

/** A channel: header, tabs, and the tab that is open. */
export function ChannelPage() {
  const { channelUsername } = useAuth()
  useDocumentTitle(channelUsername ?? undefined)
  return <Outlet />
}
