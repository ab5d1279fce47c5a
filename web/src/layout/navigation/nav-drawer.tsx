import { t } from '@lingui/core/macro'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { CreateButton } from '../../features/videos/uploads/tray/create-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SiteLinks } from '../site-links.tsx'
import { Destinations } from './destinations.tsx'
import styles from './nav-drawer.module.css'
import { SubscriptionList } from './subscription-list.tsx'

/** The main navigation as a drawer, on pages without a side navigation. Every link closes it. */
export function NavDrawer({ onClose }: { onClose: () => void }) {
  const username = useAuth().authData?.username
  return (
    <Dialog title={t`Menu`} placement="side" width={288} onClose={onClose}>
      <nav className={styles['nav']} aria-label={t`Main`}>
        {username !== undefined && <CreateButton className={styles['create']} onClick={onClose} />}
        <ul>
          <Destinations classes={styles} onNavigate={onClose} />
        </ul>
        {username !== undefined && <SubscriptionList username={username} onNavigate={onClose} />}
        <SiteLinks className={styles['site']} onNavigate={onClose} />
      </nav>
    </Dialog>
  )
}
