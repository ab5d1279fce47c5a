import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import {
  History,
  House,
  Info,
  Library,
  LogOut,
  ShieldCheck,
  UserPlus,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { CreateButton } from '../../features/videos/uploads/tray/create-button.tsx'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FeedItem } from './feed-item.tsx'
import { NavItem } from './nav-item.tsx'
import { memberPath } from './side-nav.tsx'
import styles from './nav-drawer.module.css'
import { SubscriptionList } from './subscription-list.tsx'

/** The main navigation as a drawer, on pages without a side navigation. Every link closes it. */
export function NavDrawer({ onClose }: { onClose: () => void }) {
  const { authStatus, authData } = useAuth()
  const username = authData?.username
  return (
    <Dialog title={t`Menu`} placement="side" width={288} onClose={onClose}>
      <nav className={styles['nav']} aria-label={t`Main`}>
        {username !== undefined && <CreateButton className={styles['create']} onClick={onClose} />}
        <ul>
          <NavItem icon={House} label={t`Home`} to={() => paths.home()} onNavigate={onClose} />
          <NavItem
            icon={UsersRound}
            label={t`Subscriptions`}
            to={memberPath(paths.subscribedTo)}
            onNavigate={onClose}
          />
          <NavItem icon={History} label={t`History`} to={memberPath(paths.history)} onNavigate={onClose} />
          {username !== undefined && (
            <>
              <NavItem
                icon={UserRound}
                label={t`My Channel`}
                to={() => paths.channelVideos(username)}
                onNavigate={onClose}
              />
              <NavItem icon={LogOut} label={t`Logout`} to={() => paths.logout()} onNavigate={onClose} />
              <FeedItem onNavigate={onClose} />
              <NavItem icon={Library} label={t`Library`} to={() => paths.library()} onNavigate={onClose} />
            </>
          )}
          {authData && hasRole(authData.role, 'moderator') && (
            <NavItem
              icon={ShieldCheck}
              label={t`Administration`}
              to={() => paths.administration()}
              onNavigate={onClose}
            />
          )}
          {authStatus === false && (
            <NavItem icon={UserPlus} label={t`Register`} to={() => paths.register()} onNavigate={onClose} />
          )}
          <NavItem
            icon={Info}
            label={t`About ${settings.siteName}`}
            to={() => paths.about()}
            onNavigate={onClose}
          />
        </ul>
        {username !== undefined && <SubscriptionList username={username} onNavigate={onClose} />}
      </nav>
    </Dialog>
  )
}
