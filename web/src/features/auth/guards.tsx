import { Navigate, Outlet } from 'react-router'
import { paths } from '../../paths.ts'
import { isSameUsername, useAuth } from './use-auth.ts'

/** Pages for signed-out visitors only. Nothing shows until it is known who asks. */
export function GuestsOnly() {
  const { authStatus } = useAuth()
  if (authStatus === null) return null
  return authStatus ? <Navigate to={paths.home()} replace /> : <Outlet />
}

/** Pages that need somebody signed in. */
export function MembersOnly() {
  const { authStatus } = useAuth()
  if (authStatus === null) return null
  return authStatus ? <Outlet /> : <Navigate to={paths.login()} replace />
}

/** Pages of a channel that only its owner may see; stands inside MembersOnly. */
export function OwnerOnly() {
  const { authData, channelUsername } = useAuth()
  if (!authData) return null
  return isSameUsername(authData.username, channelUsername) ? (
    <Outlet />
  ) : (
    <Navigate to={paths.notFound()} replace />
  )
}
