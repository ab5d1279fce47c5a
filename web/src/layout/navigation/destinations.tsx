import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import {
  Clapperboard,
  History,
  House,
  Library,
  LogOut,
  Settings,
  UserPlus,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { feedVisitQuery } from '../../features/watching/subscriptions/api.ts'
import type { Auth } from '../../features/accounts/sessions/api.ts'
import { paths } from '../../paths.ts'
import { NavItem } from './nav-item.tsx'

const AdministrationItem = lazy(async () => ({
  default: (await import('./administration-item.tsx')).AdministrationItem,
}))

/** The way to every place of the site, in the same order wherever it is shown: what to watch, what is yours, what you make. */
export function Destinations({
  classes = {},
  onNavigate,
}: {
  /** Of entries for which a dock has no room, of the quiet one, and of the first ones of a group. */
  classes?: { wide?: string | undefined; quiet?: string | undefined; group?: string | undefined }
  onNavigate?: (() => void) | undefined
}) {
  const { authStatus, authData } = useAuth()
  const { data: visit } = useQuery({ ...feedVisitQuery, enabled: authData !== null })
  const isModerator = authData !== null && hasRole(authData.role, 'moderator')
  const me = authData?.username
  const { wide = '', quiet = '', group = '' } = classes
  return (
    <>
      <NavItem icon={House} label={t`Home`} to={() => paths.home()} onNavigate={onNavigate} />
      <NavItem
        icon={UsersRound}
        label={t`Subscriptions`}
        to={memberPath((username) => paths.subscribedTo(username))}
        note={visit?.hasNew ? t`Something new` : undefined}
        onNavigate={onNavigate}
      />
      <NavItem
        icon={History}
        label={t`History`}
        to={memberPath(paths.history)}
        covers={/^\/history$/}
        onNavigate={onNavigate}
      />
      {me !== undefined && (
        <>
          <NavItem
            icon={UserRound}
            label={t`My Channel`}
            to={() => paths.channelVideos(me)}
            className={group}
            onNavigate={onNavigate}
          />
          <NavItem
            icon={LogOut}
            label={t`Logout`}
            to={() => paths.logout()}
            className={`${wide} ${quiet}`}
            onNavigate={onNavigate}
          />
          <NavItem
            icon={Library}
            label={t`Library`}
            to={() => paths.library()}
            covers={/^\/(playlist\/|(clips|dismissed)$)/}
            className={wide}
            onNavigate={onNavigate}
          />
          <NavItem
            icon={Settings}
            label={t`Settings`}
            to={() => paths.account()}
            covers={/^\/account\//}
            className={wide}
            onNavigate={onNavigate}
          />
          <NavItem
            icon={Clapperboard}
            label={t`Studio`}
            to={() => paths.studio()}
            covers={/^\/studio\//}
            className={`${wide} ${group}`}
            onNavigate={onNavigate}
          />
        </>
      )}
      {isModerator && (
        <Suspense>
          <AdministrationItem className={wide} onNavigate={onNavigate} />
        </Suspense>
      )}
      {authStatus === false && (
        <NavItem icon={UserPlus} label={t`Register`} to={() => paths.register()} onNavigate={onNavigate} />
      )}
    </>
  )
}

/** Path of a page of the signed-in user, or of the login page for visitors. */
function memberPath(path: (username: string) => string): (auth: Auth) => string {
  return ({ authData }) => (authData ? path(authData.username) : paths.login())
}
