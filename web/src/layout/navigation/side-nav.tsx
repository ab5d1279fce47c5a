import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import {
  History,
  House,
  Library,
  LogOut,
  Menu,
  ShieldCheck,
  UserPlus,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Auth } from '../../features/accounts/sessions/api.ts'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { CreateButton } from '../../features/videos/uploads/tray/create-button.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { FeedItem } from './feed-item.tsx'
import { NavItem } from './nav-item.tsx'
import styles from './side-nav.module.css'
import { SubscriptionList } from './subscription-list.tsx'

const MoreSheet = lazy(async () => ({ default: (await import('./more-sheet.tsx')).MoreSheet }))

/** The main navigation: a column on wide screens, a rail on tablets, a dock at the bottom of phones. */
export function SideNav() {
  const { authStatus, authData } = useAuth()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const me = authData?.username
  return (
    <nav className={styles['nav']} aria-label={t`Main`}>
      <ul className={styles['items']}>
        <NavItem icon={House} label={t`Home`} to={() => paths.home()} />
        <NavItem icon={UsersRound} label={t`Subscriptions`} to={memberPath(paths.subscribedTo)} />
        <NavItem icon={History} label={t`History`} to={memberPath(paths.history)} />
        {me !== undefined && (
          <>
            <NavItem icon={UserRound} label={t`My Channel`} to={() => paths.channelVideos(me)} />
            <NavItem icon={LogOut} label={t`Logout`} to={() => paths.logout()} className={styles['wide']} />
            <FeedItem className={styles['wide']} />
            <NavItem
              icon={Library}
              label={t`Library`}
              to={() => paths.library()}
              className={styles['wide']}
            />
            {hasRole(authData?.role ?? 'member', 'moderator') && (
              <NavItem
                icon={ShieldCheck}
                label={t`Administration`}
                to={() => paths.administration()}
                className={styles['wide']}
              />
            )}
            <li className={styles['create']}>
              <CreateButton />
            </li>
            <li className={styles['more']}>
              <button type="button" aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
                <Icon of={Menu} />
                <span>{t`More`}</span>
              </button>
            </li>
          </>
        )}
        {authStatus === false && <NavItem icon={UserPlus} label={t`Register`} to={() => paths.register()} />}
      </ul>
      {me !== undefined && <SubscriptionList username={me} className={styles['aside']} />}
      {me !== undefined && isSheetOpen && (
        <Suspense>
          <MoreSheet username={me} onClose={() => setSheetOpen(false)} />
        </Suspense>
      )}
    </nav>
  )
}

/** Path of a page of the signed-in user, or of the login page for visitors. */
export function memberPath(path: (username: string) => string): (auth: Auth) => string {
  return ({ authData }) => (authData ? path(authData.username) : paths.login())
}
