import type { ReactNode } from 'react'
import { Navigate, Outlet, useLocation, useNavigation } from 'react-router'
import { loginState } from '../../../lib/login-reason.ts'
import { paths } from '../../../paths.ts'
import { isSameUsername, useAuth } from './use-auth.ts'

/** Pages for visitors only; they lead home, with the reason for the login. Renders nothing until the session check finishes. */
export function GuestsOnly() {
  const { authStatus } = useAuth()
  const { state } = useLocation()
  if (authStatus === null) return null
  return authStatus ? <Redirect to={paths.home()} state={state} /> : <Outlet />
}

/** A page that requires a session. Shows its skeleton until the session check finishes. */
export function MembersOnly({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const { authStatus, channelUsername } = useAuth()
  const { pathname, search } = useLocation()
  if (authStatus === null) return skeleton
  if (authStatus) return children
  const state = loginState({
    wish: channelUsername === null ? 'page' : 'channel',
    title: channelUsername === null ? '' : `@${channelUsername}`,
    path: pathname + search,
  })
  return <Redirect to={paths.login()} state={state} />
}

/** Pages of a channel for its owner only; requires MembersOnly around it. */
export function OwnerOnly() {
  const { authData, channelUsername } = useAuth()
  if (!authData) return null
  return isSameUsername(authData.username, channelUsername) ? <Outlet /> : <Redirect to={paths.notFound()} />
}

/** Redirects, unless a navigation to another page is pending: that one is what the user asked for. */
function Redirect({ to, state }: { to: string; state?: unknown }) {
  return useNavigation().state === 'idle' ? <Navigate to={to} replace state={state} /> : null
}
