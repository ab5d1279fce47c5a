import type { ReactNode } from 'react'
import { Navigate, Outlet, useNavigation } from 'react-router'
import { paths } from '../../paths.ts'
import { isSameUsername, useAuth } from './use-auth.ts'

/** Pages for signed-out visitors only. Nothing shows until it is known who asks. */
export function GuestsOnly() {
  const { authStatus } = useAuth()
  if (authStatus === null) return null
  return authStatus ? <Redirect to={paths.home()} /> : <Outlet />
}

/** A page that needs somebody signed in. As long as it is not known who asks, only its skeleton shows. */
export function MembersOnly({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const { authStatus } = useAuth()
  if (authStatus === null) return skeleton
  return authStatus ? children : <Redirect to={paths.login()} />
}

/** Pages of a channel that only its owner may see; stands inside MembersOnly. */
export function OwnerOnly() {
  const { authData, channelUsername } = useAuth()
  if (!authData) return null
  return isSameUsername(authData.username, channelUsername) ? <Outlet /> : <Redirect to={paths.notFound()} />
}

/** Sends away who may not be here, unless they are on their way to another page already: that one is what they asked for. */
function Redirect({ to }: { to: string }) {
  return useNavigation().state === 'idle' ? <Navigate to={to} replace /> : null
}
