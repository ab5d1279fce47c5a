import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { Info, LayoutDashboard, Library, LogOut, ShieldCheck, UserRoundPen } from 'lucide-react'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FeedItem } from './feed-item.tsx'
import { NavItem } from './nav-item.tsx'
import styles from './side-nav.module.css'
import { SubscriptionList } from './subscription-list.tsx'

/** Further navigation links on small screens. Following a link closes it. */
export function MoreSheet({ username, onClose }: { username: string; onClose: () => void }) {
  const { authData } = useAuth()
  const items = [
    { icon: LayoutDashboard, label: t`Dashboard`, path: paths.dashboard(username) },
    { icon: UserRoundPen, label: t`Edit profile`, path: paths.edit(username) },
    { icon: Info, label: t`About ${settings.siteName}`, path: paths.about() },
    { icon: Library, label: t`Library`, path: paths.library(), className: styles['narrow'] },
    { icon: LogOut, label: t`Logout`, path: paths.logout(), className: styles['narrow'] },
    ...(hasRole(authData?.role ?? 'member', 'moderator')
      ? [
          {
            icon: ShieldCheck,
            label: t`Administration`,
            path: paths.administration(),
            className: styles['narrow'],
          },
        ]
      : []),
  ]
  return (
    <Dialog title={t`More`} onClose={onClose}>
      <div className={styles['sheet']}>
        <SubscriptionList username={username} onNavigate={onClose} />
        <ul>
          <FeedItem className={styles['narrow']} onNavigate={onClose} />
          {items.map(({ icon, label, path, className }) => (
            <NavItem
              key={path}
              icon={icon}
              label={label}
              to={() => path}
              className={className}
              onNavigate={onClose}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
