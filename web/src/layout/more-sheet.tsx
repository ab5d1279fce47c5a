import { LogOut } from 'lucide-react'
import { paths } from '../paths.ts'
import { Dialog } from '../ui/dialog.tsx'
import { NavItem } from './nav-item.tsx'
import styles from './side-nav.module.css'
import { SubscriptionList } from './subscription-list.tsx'

/** What the dock of a phone has no room for. Every link in it leads away and closes it. */
export function MoreSheet({ username, onClose }: { username: string; onClose: () => void }) {
  return (
    <Dialog title="More" onClose={onClose}>
      <div className={styles['sheet']}>
        <SubscriptionList username={username} onNavigate={onClose} />
        <ul>
          <NavItem icon={LogOut} label="Logout" to={() => paths.logout()} onNavigate={onClose} />
        </ul>
      </div>
    </Dialog>
  )
}
